// Models small enough to write down, for tests. ONNX is protobuf; the numbers below are the fields of onnx.proto3.

/** A reranking model: its one number is the sum of the ids of the second text. */
export function tinyCrossEncoder(): Buffer {
  const graph = message(
    field(1, node('Cast', ['input_ids'], ['ids'], toFloat())),
    field(1, node('Cast', ['token_type_ids'], ['types'], toFloat())),
    field(1, node('Mul', ['ids', 'types'], ['second'])),
    field(1, node('ReduceSum', ['second'], ['logits'])),
    field(2, text('tiny')),
    field(11, value('input_ids', INT64, ['length'])),
    field(11, value('token_type_ids', INT64, ['length'])),
    field(12, value('logits', FLOAT, [1])),
  );
  return message(number(1, 7), field(7, graph), field(8, message(field(1, text('')), number(2, 12))));
}

/** An embedding model of the same kind: of each token the vector [id, 1]. */
export function tinyEncoder(): Buffer {
  const graph = message(
    field(1, node('Cast', ['input_ids'], ['ids'], toFloat())),
    field(1, node('Cast', ['attention_mask'], ['mask'], toFloat())),
    field(1, node('Unsqueeze', ['ids'], ['id'], message(field(1, text('axes')), number(8, 2), number(20, 7)))),
    field(1, node('Unsqueeze', ['mask'], ['one'], message(field(1, text('axes')), number(8, 2), number(20, 7)))),
    field(1, node('Concat', ['id', 'one'], ['last_hidden_state'], message(field(1, text('axis')), number(3, 2), number(20, 2)))),
    field(2, text('tiny')),
    field(11, value('input_ids', INT64, ['length'])),
    field(11, value('attention_mask', INT64, ['length'])),
    field(12, value('last_hidden_state', FLOAT, ['length', 2])),
  );
  return message(number(1, 7), field(7, graph), field(8, message(field(1, text('')), number(2, 12))));
}

/** A Unigram tokenizer, as XLM-R has it, of a few pieces; their ids are their places. */
export function tinyTokenizer(): string {
  const pieces = ['<unk>', '<s>', '</s>', '\u2581a', 'a', '\u2581b', 'b', '\u2581'];
  const frame = { '<s>': { id: '<s>', ids: [1], tokens: ['<s>'] }, '</s>': { id: '</s>', ids: [2], tokens: ['</s>'] } };
  const single = [{ SpecialToken: { id: '<s>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }, { SpecialToken: { id: '</s>', type_id: 0 } }];
  return JSON.stringify({
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [{ id: 2, content: '</s>', special: true, single_word: false, lstrip: false, rstrip: false, normalized: false }],
    normalizer: { type: 'NFKC' },
    pre_tokenizer: { type: 'Metaspace', replacement: '\u2581', add_prefix_space: true, prepend_scheme: 'always' },
    post_processor: { type: 'TemplateProcessing', single, pair: [], special_tokens: frame },
    decoder: null,
    model: { type: 'Unigram', unk_id: 0, vocab: pieces.map((piece, id) => [piece, -1 - id / 100]) },
  });
}

const FLOAT = 1;
const INT64 = 7;

function node(operator: string, inputs: readonly string[], outputs: readonly string[], attribute?: Buffer): Buffer {
  return message(
    ...inputs.map((name) => field(1, text(name))),
    ...outputs.map((name) => field(2, text(name))),
    field(4, text(operator)),
    ...(attribute === undefined ? [] : [field(5, attribute)]),
  );
}

function toFloat(): Buffer {
  return message(field(1, text('to')), number(3, FLOAT), number(20, 2));
}

/** Of one text: its other dimensions by length or by name. */
function value(name: string, type: number, sizes: readonly (string | number)[]): Buffer {
  const dimension = (size: string | number) => field(1, typeof size === 'number' ? number(1, size) : field(2, text(size)));
  const shape = message(dimension(1), ...sizes.map(dimension));
  return message(field(1, text(name)), field(2, field(1, message(number(1, type), field(2, shape)))));
}

function text(content: string): Buffer {
  return Buffer.from(content);
}

function message(...fields: readonly Buffer[]): Buffer {
  return Buffer.concat(fields);
}

function field(id: number, content: Buffer): Buffer {
  return Buffer.concat([varint((id << 3) | 2), varint(content.length), content]);
}

function number(id: number, content: number): Buffer {
  return Buffer.concat([varint(id << 3), varint(content)]);
}

function varint(content: number): Buffer {
  const bytes: number[] = [];
  for (let rest = content; ; rest >>>= 7) {
    if (rest < 128) return Buffer.from([...bytes, rest]);
    bytes.push((rest & 127) | 128);
  }
}
