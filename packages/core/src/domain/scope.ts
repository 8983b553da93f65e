/**
 * Whose memory it is. `userId` is a hard wall: every key is derived from it and every query is filtered by it.
 * `agentId` and `sessionId` narrow what is stored and, when given, what is retrieved.
 */
export interface Scope {
  readonly userId: string;
  readonly agentId?: string;
  readonly sessionId?: string;
}
