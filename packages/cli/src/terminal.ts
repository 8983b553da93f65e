import { styleText } from 'node:util';

/** What a command may touch of the process it runs in. */
export interface Terminal {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stdout: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
  readonly stderr: NodeJS.WritableStream & { readonly isTTY?: boolean; readonly columns?: number };
}

type Style = Parameters<typeof styleText>[0];

/** Colours only for people: not into a pipe, not with NO_COLOR. */
export function painter(
  terminal: Pick<Terminal, 'stdout'> & { readonly environment?: Terminal['environment'] },
): (style: Style, text: string) => string {
  const coloured = terminal.stdout.isTTY === true && (terminal.environment?.['NO_COLOR'] ?? '') === '';
  return (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text);
}

/** Text out of a memory, made safe to print: control characters could move the cursor, recolour the terminal or turn what follows round. */
export function printable(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g, (character) => (character === '\t' ? '  ' : '\ufffd'));
}

/** The same for what stands within a line, such as the name of a file: line breaks and other control characters are written as escapes. */
export function printableLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[character];
    return short ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
}

export function bar(share: number, width: number): string {
  const filled = Math.round(Math.min(1, Math.max(0, share)) * width);
  return '█'.repeat(filled) + '░'.repeat(width - filled);
}

export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

/** Breaks a text at spaces to a width, with an indent before each line; a word longer than the width stays whole. */
export function wrap(text: string, width: number, indent: string): string {
  return text
    .split('\n')
    .map((paragraph) => {
      const lines: string[] = [];
      let line = '';
      for (const word of paragraph.split(/ +/)) {
        if (line !== '' && line.length + 1 + word.length > width) {
          lines.push(line);
          line = word;
        } else line = line === '' ? word : `${line} ${word}`;
      }
      return [...lines, line].map((part) => indent + part).join('\n');
    })
    .join('\n');
}
