/** Told of the time each stage took. */
export interface Tracer {
  /** @param stage e.g. `retrieve.recall` */
  stage(stage: string, milliseconds: number): void;
}
