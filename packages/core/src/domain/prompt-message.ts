/** A message of a chat call, in the form of OpenAI's chat API. Fields that are not named here (`tool_calls`, `name`, ...) pass through. */
export interface PromptMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly [field: string]: unknown;
}
