export type JsonValue = string | number | boolean | null | readonly JsonValue[] | { readonly [key: string]: JsonValue };

/** The caller's own data on a record. The engine stores it and filters by it, and never reads meaning into it. */
export type Metadata = Readonly<Record<string, JsonValue>>;
