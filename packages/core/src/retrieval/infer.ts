import type { EngineOptions } from '../config.ts';
import type { Fact } from '../domain/fact.ts';
import { normalForm } from '../domain/normal-form.ts';

/** An edge that no text states: it follows from others by a rule of the user's. Made for one question, never stored. */
export interface InferredEdge {
  readonly subjectId: string;
  readonly predicate: string;
  readonly objectId: string;
  readonly rule: string;
  /** Ids of the facts that it rests on, in the order of the chain. */
  readonly premises: readonly string[];
  /** Episodes that state them. */
  readonly evidence: readonly string[];
  /** Product of the premises' confidences. */
  readonly confidence: number;
}

/** Chains of up to so many facts; each round joins what the one before found. */
const MAX_PREMISES = 4;
const MAX_EDGES = 256;

/**
 * Applies rules of the form "A first B, B second C: A infers C" to the facts of a neighbourhood, over and over within bounds. A chain never
 * comes back to where it began, and an edge that a fact states already is not inferred. Pure; the strongest chains first.
 */
export function infer(facts: readonly Fact[], rules: EngineOptions['expansion']['rules']): InferredEdge[] {
  if (rules.length === 0) return [];
  const stated = facts.flatMap((fact): InferredEdge[] => {
    const { id, subjectId, predicate, objectId, evidence, confidence } = fact;
    return subjectId === undefined || objectId === undefined || predicate === undefined
      ? []
      : [{ subjectId, predicate, objectId, rule: '', premises: [id], evidence, confidence }];
  });
  const key = (edge: InferredEdge) => `${edge.subjectId} ${normalForm(edge.predicate)} ${edge.objectId}`;
  const known = new Set(stated.map(key));
  const inferred: InferredEdge[] = [];
  for (let frontier = stated; frontier.length > 0; ) {
    const found: InferredEdge[] = [];
    for (const rule of rules) {
      const [first, second] = [normalForm(rule.first), normalForm(rule.second)];
      const onward = Map.groupBy(
        stated.filter((edge) => normalForm(edge.predicate) === second),
        (edge) => edge.subjectId,
      );
      for (const edge of frontier) {
        if (normalForm(edge.predicate) !== first || edge.premises.length >= MAX_PREMISES) continue;
        for (const next of onward.get(edge.objectId) ?? []) {
          if (next.objectId !== edge.subjectId) found.push(join(edge, next, rule));
        }
      }
    }
    frontier = found.sort(byConfidence).filter((edge) => !known.has(key(edge)) && known.add(key(edge)).size > 0);
    inferred.push(...frontier);
    if (inferred.length >= MAX_EDGES) break;
  }
  return inferred.slice(0, MAX_EDGES);
}

function join(edge: InferredEdge, next: InferredEdge, rule: { readonly name: string; readonly infers: string }): InferredEdge {
  return {
    subjectId: edge.subjectId,
    predicate: rule.infers,
    objectId: next.objectId,
    rule: rule.name,
    premises: [...edge.premises, ...next.premises],
    evidence: [...new Set([...edge.evidence, ...next.evidence])],
    confidence: edge.confidence * next.confidence,
  };
}

function byConfidence(a: InferredEdge, b: InferredEdge): number {
  return b.confidence - a.confidence || (a.premises.join(' ') < b.premises.join(' ') ? -1 : 1);
}
