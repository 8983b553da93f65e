import { duration } from './counted.ts';
import { bar, type Terminal } from './terminal.ts';

const REDRAW_MS = 80;

/** A line that is redrawn in place on a terminal; silent in a pipe, so that logs stay readable. */
export class ProgressLine {
  readonly #terminal: Terminal;
  readonly #started = performance.now();
  #drawn = 0;
  #width = 0;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** @param unit what is counted, e.g. `turns`, or how an amount of it is written, e.g. `1.2 MB` */
  update(done: number, total: number, unit: string | ((amount: number) => string), label: string): void {
    const now = performance.now();
    if (this.#terminal.stderr.isTTY !== true || (now - this.#drawn < REDRAW_MS && done < total)) return;
    this.#drawn = now;
    const seconds = (now - this.#started) / 1000;
    const rate = done / Math.max(seconds, 0.001);
    const left = rate > 0 && total > done ? `, ${duration((total - done) / rate)} left` : '';
    const amount = typeof unit === 'string' ? `${done}/${total} ${unit}, ${Math.round(rate)}/s` : `${unit(done)} of ${unit(total)}, ${unit(rate)}/s`;
    const room = (this.#terminal.stderr.columns ?? 80) - 1;
    const line = `${bar(total === 0 ? 1 : done / total, 24)} ${amount}${left}  ${label}`.slice(0, room);
    this.#terminal.stderr.write(`\r${line.padEnd(this.#width)}`);
    this.#width = line.length;
  }

  clear(): void {
    if (this.#width > 0) this.#terminal.stderr.write(`\r${' '.repeat(this.#width)}\r`);
    this.#width = 0;
  }
}
