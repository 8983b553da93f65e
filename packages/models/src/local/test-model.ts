/**
 * A reranking model small enough to write down, for tests: its one number is the sum of the ids of the second text. ONNX is protobuf; the
 * numbers below are the fields of onnx.proto3.
 */
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

function value(name: string, type: number, [second = 1]: readonly (string | number)[]): Buffer {
  const dimension = (size: string | number) => field(1, typeof size === 'number' ? number(1, size) : field(2, text(size)));
  const shape = message(dimension(1), dimension(second));
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
