export { type DecodedText, decodeText } from './decode-text.ts';
export { type FindOptions, findInputs, type Input } from './find-files.ts';
export { type FileReport, type IngestOptions, type IngestProgress, type IngestReport, ingest } from './ingest.ts';
export { readChatLines } from './readers/chat-jsonl.ts';
export { readOpenAiMessages } from './readers/openai-messages.ts';
export type { ChatMessage, ReadFile, TextDocument } from './readers/read-file.ts';
export { readText } from './readers/text.ts';
