/**
 * Turns a LoCoMo file into chat JSONL, one file a conversation, which `tandem ingest` reads.
 * LoCoMo is CC BY-NC 4.0 and not part of this project: get it from its authors (snap-research/locomo).
 *
 *   node examples/dist/locomo-to-jsonl.js locomo10.json out/
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const turnSchema = z.looseObject({ speaker: z.string(), dia_id: z.string(), text: z.string().default(''), blip_caption: z.string().optional() });
const fileSchema = z.array(z.looseObject({ sample_id: z.string(), conversation: z.record(z.string(), z.unknown()) }));

const [input, folder] = process.argv.slice(2);
if (input === undefined || folder === undefined) {
  process.stderr.write('Usage: node examples/dist/locomo-to-jsonl.js <locomo.json> <folder>\n');
  process.exit(2);
}
mkdirSync(folder, { recursive: true });
for (const { sample_id: id, conversation } of fileSchema.parse(JSON.parse(readFileSync(input, 'utf8')))) {
  const lines = Object.keys(conversation)
    .filter((key) => /^session_\d+$/.test(key))
    .sort((a, b) => Number(a.slice(8)) - Number(b.slice(8)))
    .flatMap((session) =>
      z
        .array(turnSchema)
        .parse(conversation[session])
        .map((turn) =>
          JSON.stringify({
            role: 'user',
            name: turn.speaker,
            content: turn.blip_caption === undefined ? turn.text : `${turn.text} [shares ${turn.blip_caption}]`,
            at: isoTime(String(conversation[`${session}_date_time`])),
            session,
            id: `${id}/${turn.dia_id}`,
          }),
        ),
    );
  writeFileSync(join(folder, `${id}.jsonl`), `${lines.join('\n')}\n`);
  process.stdout.write(`${join(folder, `${id}.jsonl`)}: ${lines.length} turns\n`);
}

/** `1:56 pm on 8 May, 2023` as ISO 8601. */
function isoTime(text: string): string {
  const [clock = '', day = ''] = text.split(' on ');
  const date = new Date(`${day.replace(',', '')} ${clock} UTC`);
  return date.toISOString();
}
