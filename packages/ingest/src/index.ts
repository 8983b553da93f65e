export { type DecodedText, decodeText } from './decode-text.ts';
export { type FindOptions, findInputs, type Input } from './find-files.ts';
export { ingest } from './ingest.ts';
export type { FileReport, IngestOptions, IngestReport, IngestTarget } from './ingest-options.ts';
export type { IngestProgress } from './progress.ts';
export type { ChatMessage, ReadFile, Refusal, TextDocument } from './readers/read-file.ts';
export { readFileContent } from './readers/read-file-bytes.ts';
