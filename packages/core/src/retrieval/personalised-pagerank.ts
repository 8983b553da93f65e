/** A weighted undirected graph under construction; nodes are numbered in the order they are first named. */
export class WeightedGraph {
  readonly #numbers = new Map<string, number>();
  readonly #from: number[] = [];
  readonly #to: number[] = [];
  readonly #weights: number[] = [];

  node(name: string): number {
    let number = this.#numbers.get(name);
    if (number === undefined) {
      number = this.#numbers.size;
      this.#numbers.set(name, number);
    }
    return number;
  }

  edge(a: string, b: string, weight: number): void {
    if (a === b || !(weight > 0)) return;
    const [first, second] = [this.node(a), this.node(b)];
    this.#from.push(first, second);
    this.#to.push(second, first);
    this.#weights.push(weight, weight);
  }

  /**
   * Personalised PageRank by power iteration: a walker follows an edge with probability `damping` (by weight), else jumps back to a seed.
   * Page et al. 1999; with passages and entities as nodes and the flat hits as seeds as in HippoRAG (Gutiérrez et al. 2024, 2025).
   * @param seeds weight by node name; need not sum to 1
   * @returns the share of time spent at each node, by name; empty where no seed has weight
   */
  personalisedPageRank(seeds: ReadonlyMap<string, number>, damping: number, iterations: number): Map<string, number> {
    for (const name of seeds.keys()) this.node(name);
    const size = this.#numbers.size;
    const restart = new Float64Array(size);
    let total = 0;
    for (const weight of seeds.values()) total += Math.max(0, weight);
    if (total === 0) return new Map();
    for (const [name, weight] of seeds) if (weight > 0) restart[this.node(name)] = weight / total;

    const outgoing = new Float64Array(size);
    for (let i = 0; i < this.#from.length; i++) outgoing[this.#from[i] ?? 0] = (outgoing[this.#from[i] ?? 0] ?? 0) + (this.#weights[i] ?? 0);
    const from = Int32Array.from(this.#from);
    const to = Int32Array.from(this.#to);
    const shares = Float64Array.from(this.#weights);
    for (let i = 0; i < shares.length; i++) shares[i] = (shares[i] ?? 0) / (outgoing[from[i] ?? 0] || 1);
    let current = restart.slice();
    for (let round = 0; round < iterations; round++) {
      const next = new Float64Array(size);
      let walked = 0;
      for (let i = 0; i < from.length; i++) {
        const flow = damping * (current[from[i] ?? 0] ?? 0) * (shares[i] ?? 0);
        next[to[i] ?? 0] = (next[to[i] ?? 0] ?? 0) + flow;
        walked += flow;
      }
      // What did not walk (restarts, and nodes without edges) goes back to the seeds, so that the shares sum to 1.
      for (let i = 0; i < size; i++) next[i] = (next[i] ?? 0) + (1 - walked) * (restart[i] ?? 0);
      current = next;
    }
    return new Map([...this.#numbers].map(([name, number]) => [name, current[number] ?? 0]));
  }
}
