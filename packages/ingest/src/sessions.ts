import { deriveId, type MessageInput } from '@tandem-memory/core';
import type { ChatMessage } from './readers/read-file.ts';

export interface Session {
  readonly sessionId?: string;
  /** Each with an id. */
  readonly messages: readonly MessageInput[];
}

/**
 * Messages by session, in the order in which the sessions begin, each with an id that rests on what was said (and on the id that the file
 * gives it), and on how often it was said before in the session. So "ok" said twice stays two turns, however the file is cut into calls, a file
 * that grew keeps the turns it had, and a turn that was edited in the file is another.
 */
export function groupSessions(messages: readonly ChatMessage[], defaultSessionId: string | undefined): Session[] {
  const sessions = new Map<string | undefined, MessageInput[]>();
  const seen = new Map<string, number>();
  for (const { message, sessionId: own } of messages) {
    const sessionId = own ?? defaultSessionId;
    const { role, name, content, at, id } = message;
    const time = at instanceof Date ? at.toISOString() : at;
    const identity = id === undefined ? deriveId('turn', role, name, content, time) : deriveId('id', role, name, id, content);
    const place = deriveId(sessionId, identity);
    const repeat = seen.get(place) ?? 0;
    seen.set(place, repeat + 1);
    const session = sessions.get(sessionId) ?? [];
    sessions.set(sessionId, session);
    session.push({ ...message, id: deriveId(identity, repeat) });
  }
  return [...sessions].map(([sessionId, list]) => ({ ...(sessionId === undefined ? {} : { sessionId }), messages: list }));
}
