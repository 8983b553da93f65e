import { MemoryError } from '@tandem-memory/core';
import type { OpenAI } from 'openai';

const OPENAI_URL = 'https://api.openai.com/v1';

/** How to reach an endpoint that speaks the OpenAI protocol: OpenAI, Azure, Ollama, vLLM, llama.cpp and others. */
export interface OpenAiConnection {
  readonly model: string;
  /** Address up to and with the version, e.g. `http://localhost:11434/v1`. Default OpenAI's own. */
  readonly baseUrl?: string;
  /** Required by OpenAI itself; local servers mostly need none. */
  readonly apiKey?: string;
  /** Sent with every call, e.g. `api-key` for Azure. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Query parameters of every call, e.g. `api-version` for Azure. */
  readonly query?: Readonly<Record<string, string>>;
  /** Longest time for one call. Default 120,000. */
  readonly timeoutMs?: number;
}

/**
 * @param variables how the environment variables of this model begin
 * @param instead what else the name could have been meant for
 * @throws CONFIG_INVALID, before any call
 */
export function checkConnection(connection: OpenAiConnection, variables: 'TANDEM_MODEL' | 'TANDEM_EMBEDDING', instead = ''): void {
  if (connection.model.trim() === '') throw new MemoryError('CONFIG_INVALID', 'The option `model` is empty. Name the model as the server knows it.');
  if (connection.baseUrl !== undefined && !/^https?:\/\/\S+$/.test(connection.baseUrl)) {
    throw new MemoryError('CONFIG_INVALID', 'The option `baseUrl` is no web address. It looks like http://localhost:11434/v1.');
  }
  if (connection.baseUrl === undefined && (connection.apiKey ?? '') === '') {
    throw new MemoryError(
      'CONFIG_INVALID',
      `${connection.model} is asked for at OpenAI, which needs a key. Give the option \`apiKey\` (${variables}_API_KEY, OPENAI_API_KEY), or the \`baseUrl\` of a server that needs none (${variables}_BASE_URL, OPENAI_BASE_URL).${instead}`,
    );
  }
}

/** The client is loaded at the first call: a program that only reads memory never pays for it. */
export async function connect(connection: OpenAiConnection): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    baseURL: connection.baseUrl ?? OPENAI_URL,
    // The client insists on a key; null in the headers below keeps the stand-in off the wire.
    apiKey: connection.apiKey ?? 'none',
    timeout: connection.timeoutMs ?? 120_000,
    maxRetries: 0,
    logLevel: 'off',
    // Given here so that the client does not take them from the environment, which only the command line reads.
    organization: null,
    project: null,
    adminAPIKey: null,
    webhookSecret: null,
    defaultHeaders: { ...(connection.apiKey === undefined ? { Authorization: null } : {}), ...connection.headers },
    defaultQuery: { ...connection.query },
  });
}
