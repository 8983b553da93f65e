import type { MessageInput } from '@tandem-memory/core';
import { NoteList } from '../note-list.ts';
import { readChatMessage } from './chat-message.ts';
import { isRecord } from './json-value.ts';
import type { ChatMessage, ReadFile } from './read-file.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads `conversations.json` of a ChatGPT or a Claude export: a list of conversations, or one of them. Each conversation is a session; of a
 * ChatGPT conversation with several versions of an answer the one that was shown last counts. @returns undefined where the value is neither
 */
export function readChatExport(value: unknown): ReadFile | undefined {
  const conversations = Array.isArray(value) ? value : [value];
  const first = conversations.find(isRecord);
  if (first === undefined) return undefined;
  const read = isRecord(first['mapping']) ? chatGptTurns : Array.isArray(first['chat_messages']) ? claudeTurns : undefined;
  if (read === undefined) return undefined;
  const messages: ChatMessage[] = [];
  const notes = new NoteList();
  let leftOut = 0;
  for (const [index, conversation] of conversations.entries()) {
    if (!isRecord(conversation)) {
      leftOut++;
      notes.add(`conversation ${index + 1} left out: not an object`);
      continue;
    }
    const title = text(conversation['title']) ?? text(conversation['name']);
    const sessionId = text(conversation['conversation_id']) ?? text(conversation['id']) ?? text(conversation['uuid']) ?? `conversation ${index + 1}`;
    for (const turn of read(conversation)) {
      const found = readChatMessage({ ...turn, metadata: { ...(title === undefined ? {} : { title }) } });
      if ('problem' in found) {
        leftOut++;
        notes.add(`a message of ${title ?? sessionId} left out: ${found.problem}`);
      } else if (found.message.content.trim() !== '') messages.push({ message: withoutTitleOfNobody(found.message), sessionId });
    }
  }
  return messages.length === 0 && leftOut === 0 ? undefined : { documents: [], messages, leftOut, notes: notes.list() };
}

function withoutTitleOfNobody({ metadata, ...message }: MessageInput): MessageInput {
  return metadata === undefined || Object.keys(metadata).length === 0 ? message : { ...message, metadata };
}

/** From the message that was shown last up to the root, then turned round. */
function chatGptTurns(conversation: Fields): Fields[] {
  const mapping = conversation['mapping'];
  if (!isRecord(mapping)) return [];
  const turns: Fields[] = [];
  const seen = new Set<string>();
  let id = text(conversation['current_node']) ?? newestLeaf(mapping);
  while (id !== undefined && !seen.has(id)) {
    seen.add(id);
    const node = mapping[id];
    if (!isRecord(node)) break;
    const turn = isRecord(node['message']) ? chatGptTurn(node['message']) : undefined;
    if (turn !== undefined) turns.push(turn);
    id = text(node['parent']);
  }
  return turns.reverse();
}

function newestLeaf(mapping: Fields): string | undefined {
  const time = (id: string) => {
    const node = mapping[id];
    const message = isRecord(node) ? node['message'] : undefined;
    return isRecord(message) ? Number(message['create_time'] ?? 0) : 0;
  };
  const leaves = Object.keys(mapping).filter((id) => {
    const node = mapping[id];
    return isRecord(node) && (!Array.isArray(node['children']) || node['children'].length === 0);
  });
  return leaves.sort((a, b) => time(b) - time(a))[0];
}

/** Shown turns of people and of the model; not the hidden ones, tools' output and thoughts. */
function chatGptTurn(message: Fields): Fields | undefined {
  const author = isRecord(message['author']) ? text(message['author']['role']) : undefined;
  const content = isRecord(message['content']) ? message['content'] : {};
  const hidden = isRecord(message['metadata']) && message['metadata']['is_visually_hidden_from_conversation'] === true;
  const addressee = text(message['recipient']);
  if (hidden || (author !== 'user' && author !== 'assistant') || (addressee !== undefined && addressee !== 'all')) return undefined;
  if (content['content_type'] !== 'text' && content['content_type'] !== 'multimodal_text') return undefined;
  const parts = Array.isArray(content['parts']) ? content['parts'] : [];
  const spoken = parts.flatMap((part: unknown) =>
    typeof part === 'string' ? [part] : isRecord(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  );
  return { id: message['id'], role: author, content: spoken.join('\n'), at: message['create_time'] };
}

function claudeTurns(conversation: Fields): Fields[] {
  const list = conversation['chat_messages'];
  if (!Array.isArray(list)) return [];
  return list.filter(isRecord).map((message) => {
    const parts = Array.isArray(message['content']) ? message['content'].filter(isRecord).filter((part) => part['type'] === 'text') : [];
    const spoken = parts.map((part) => text(part['text'])).filter((part) => part !== undefined);
    const attached = (Array.isArray(message['attachments']) ? message['attachments'] : [])
      .filter(isRecord)
      .map((item) => text(item['extracted_content']));
    const content = [spoken.length > 0 ? spoken.join('\n') : text(message['text']), ...attached].filter((part) => part !== undefined).join('\n\n');
    return { id: message['uuid'], role: message['sender'], content, at: message['created_at'] };
  });
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}
