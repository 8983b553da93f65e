/** The part of the WebAssembly interface that the kernel needs; neither ES2024's types nor Node's declare it. */
interface WebAssemblyInterface {
  readonly Memory: new (limits: { initial: number; maximum: number }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array) => object;
  readonly Instance: new (module: object, imports: Readonly<Record<string, Readonly<Record<string, unknown>>>>) => { readonly exports: unknown };
}

export interface WasmMemory {
  /** Replaced by a larger one when the memory grows. */
  readonly buffer: ArrayBuffer;
  grow(pages: number): number;
}

/** Exports of `kernel.as.ts`. All but counts are byte addresses in the memory. */
export interface KernelExports {
  packSigns(rows: number, scales: number, into: number, inverses: number, count: number, width: number): number;
  dotSigns(codes: number, tables: number, inverses: number, scores: number, count: number, bytes: number, base: number, step: number): number;
  dotInt8(rows: number, query: number, scales: number, scores: number, count: number, width: number): void;
  dotFloat32(rows: number, query: number, scores: number, count: number, width: number): void;
}

export const webAssembly = (globalThis as unknown as { readonly WebAssembly: WebAssemblyInterface }).WebAssembly;
