import { describe, expect, it } from 'vitest';
import { makeDocx } from '../../bench/src/ingest/make-docx.ts';
import { makePdf } from '../../bench/src/ingest/make-pdf.ts';
import { makeZip } from '../../bench/src/ingest/make-zip.ts';
import { read, refusal, sections } from './read.ts';

describe('PDF', () => {
  const pdf = makePdf(
    [
      [
        { text: 'Harbour Guide', size: 24 },
        { text: 'Lights', size: 16, above: 10 },
        { text: 'The pier light (north) is green and was re-' },
        { text: 'placed in 2019.' },
        { text: 'A second paragraph.', above: 14 },
        { text: '1' },
      ],
      [{ text: 'Boats', size: 16 }, { text: 'The Osprey is blue.' }, { text: 'Page 2' }],
    ],
    { title: 'Guide to the harbour' },
  );

  it('is read by page and heading, with its lines joined', async () => {
    const { documents } = await read(pdf, 'guide.pdf');
    expect(documents).toEqual([
      {
        title: 'Guide to the harbour',
        at: '2024-03-02T10:15:00+01:00',
        metadata: { format: 'pdf', pages: 2 },
        text: [
          {
            heading: 'Harbour Guide > Lights',
            metadata: { page: 1 },
            text: 'Harbour Guide\nLights\nThe pier light (north) is green and was replaced in 2019.\n\nA second paragraph.\n',
          },
          { heading: 'Harbour Guide > Boats', metadata: { page: 2 }, text: 'Boats\nThe Osprey is blue.\n' },
        ],
      },
    ]);
  });

  it('is known by its first bytes, whatever its name', async () => {
    expect((await read(pdf, 'guide.txt')).documents[0]?.title).toBe('Guide to the harbour');
    expect((await read(Buffer.concat([Buffer.from('\n\n'), pdf]), 'guide.pdf')).documents).toHaveLength(1);
  });

  it.each([
    ['a password', makePdf([[{ text: 'x' }]], { encrypted: true }), 'password-protected'],
    ['a damaged end', Buffer.from('%PDF-1.7\n1 0 obj\nbroken'), 'damaged'],
    ['half of its bytes', pdf.subarray(0, 300), 'damaged'],
    ['pages without text', makePdf([[], []]), 'OCR'],
  ])('with %s is refused', async (_, bytes, reason) => {
    expect(await refusal(bytes, 'a.pdf')).toEqual({ refused: expect.stringContaining(reason) });
  });
});

describe('Word', () => {
  const blocks = [
    { heading: 'Harbour', level: 1 },
    { text: 'Open & <free> for all. 한국어 🎉' },
    { heading: 'Prices', level: 2 },
    {
      rows: [
        ['boat', 'price'],
        ['Osprey', '5'],
      ],
    },
  ];

  it('is read by its styles, its tables with their heads', async () => {
    const { documents } = await read(makeDocx(blocks, { title: 'Plan', author: 'Ana' }), 'plan.docx');
    expect(documents[0]).toMatchObject({ title: 'Plan', at: '2024-03-02T10:15:00Z', metadata: { format: 'docx', author: 'Ana' } });
    expect(documents[0]?.text).toBe(
      '# Harbour\n\nOpen & <free> for all. 한국어 🎉\n\n## Prices\n\n| boat | price |\n| --- | --- |\n| Osprey | 5   |\n',
    );
  });

  it.each([
    [
      'a part that unpacks to a hundred megabytes',
      makeDocx(blocks, {}, [{ name: 'word/bomb.xml', bytes: Buffer.alloc(100 * 2 ** 20) }]),
      'unpacks to more',
    ],
    [
      'many parts that do together',
      makeDocx(
        blocks,
        {},
        Array.from({ length: 5 }, (_, n) => ({ name: `word/${n}.xml`, bytes: Buffer.alloc(25 * 2 ** 20) })),
      ),
      'unpacks to more',
    ],
    ['a part that is larger than it claims', makeDocx(blocks, {}, [{ name: 'word/bomb.xml', bytes: Buffer.alloc(10_000), claims: 10 }]), 'damaged'],
    ['a password', makeZip([{ name: 'word/document.xml', bytes: 'x', encrypted: true }]), 'password-protected'],
    ['no XML inside', makeZip([{ name: 'word/document.xml', bytes: 'no xml' }]), 'damaged'],
    ['half of its bytes', makeDocx(blocks).subarray(0, 500), 'damaged'],
    [
      'an encrypted container',
      Buffer.concat([Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1', 'latin1'), Buffer.alloc(64), Buffer.from('EncryptedPackage', 'utf16le')]),
      'password-protected',
    ],
    ['the old container', Buffer.from('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1rest', 'latin1'), 'old Office'],
  ])('with %s is refused', async (_, bytes, reason) => {
    expect(await refusal(bytes, 'a.docx')).toEqual({ refused: expect.stringContaining(reason) });
  });

  it.each([
    ['xl/workbook.xml', 'CSV'],
    ['ppt/presentation.xml', 'PDF'],
    ['META-INF/container.xml', 'EPUB'],
    ['readme.txt', 'unpack it'],
  ])('says what to do with an archive that has %s', async (name, advice) => {
    expect(await refusal(makeZip([{ name, bytes: 'x' }]))).toEqual({ refused: expect.stringContaining(advice) });
  });
});

describe('CSV', () => {
  it('becomes a table whose head names the columns', async () => {
    const { documents, notes } = await read('name;city;note\r\nAna;Oslo;"likes; tea\nand | milk"\r\nBob;Bergen\r\n', 'people.csv');
    expect(documents[0]).toMatchObject({ title: 'people.csv', metadata: { format: 'csv', rows: 2 } });
    expect(documents[0]?.text).toEqual([
      { text: '| name | city | note |\n| --- | --- | --- |\n| Ana | Oslo | likes; tea / and \\| milk |\n| Bob | Bergen |  |\n' },
    ]);
    expect(notes).toEqual(['1 row has another number of cells than the first']);
  });

  it.each([
    ['tabs', 'a\tb\n1\t2\n', 'x.tsv', '| a | b |\n| --- | --- |\n| 1 | 2 |\n'],
    ['one column', 'name\nAna\n', 'x.csv', '| name |\n| --- |\n| Ana |\n'],
    ['names that are missing', 'a,\n1,2,3\n', 'x.csv', '| a | column 2 | column 3 |\n| --- | --- | --- |\n| 1 | 2 | 3 |\n'],
    ['an open quote', 'a,b\n"1,2\n', 'x.csv', '| a | b |\n| --- | --- |\n| 1,2 |  |\n'],
  ])('with %s is read', async (_, content, name, text) => {
    expect(await sections(content, name)).toEqual([{ text }]);
  });
});

describe('code', () => {
  it('in one line is cut inside it, under headings of a length that each chunk can carry', async () => {
    const content = Array.from({ length: 3_000 }, (_, i) => `function ${'f'.repeat(i % 90)}n${i}(){return 1}`).join(';');
    const found = await sections(content, 'all.min.js');
    expect(found.map((section) => section.text).join('')).toBe(content);
    expect(found.length).toBeGreaterThan(100);
    for (const section of found) expect(('heading' in section ? section.heading : '')?.length).toBeLessThan(250);
  });

  const body = '    self.total = self.total + 1\n'.repeat(60);
  it.each([
    [
      'queue.py',
      `import os\n\n# Adds.\n@cached\ndef push(a):\n    return a\n\nclass Queue(Base):\n    def grow(self):\n${body}\n    def pop(self):\n        return 1\n`,
      ['push', 'class Queue', 'class Queue > grow', 'class Queue > pop'],
    ],
    [
      'queue.ts',
      `import a from 'a';\n\nexport class Queue<T> {\n  push(item: T): void {\n${body}  }\n  async pop(): Promise<T> {\n    return this.x;\n  }\n}\n`,
      ['class Queue', 'class Queue > push', 'class Queue > pop'],
    ],
    ['queue.js', `/** Adds. */\nfunction push(a) {\n${body}}\nfunction pop() {\n${body}}\n`, ['push', 'pop']],
    ['queue.go', `package q\n\nfunc Push(a int) int {\n${body}}\n\nfunc Pop() int {\n${body}}\n`, ['Push', 'Pop']],
    [
      'queue.rs',
      `use std::x;\n\nfn push(a: u8) -> u8 {\n${body.replaceAll('\n', ';\n')}}\n\nstruct Queue {\n${'    a: u8,\n'.repeat(100)}}\n`,
      ['push', 'struct Queue'],
    ],
    [
      'Queue.java',
      `class Queue {\n  void push(int a) {\n${body}  }\n  int pop() {\n    return 1;\n  }\n}\n`,
      ['class Queue', 'class Queue > push', 'class Queue > pop'],
    ],
    ['queue.cpp', `#include <x>\nint push(int a) {\n${body}}\nclass Queue {\n${'  int a;\n'.repeat(100)}};\n`, ['push', 'class Queue']],
    ['queue.php', `<?php\nfunction push($a) {\n${body}}\nclass Queue {\n${'  public $a;\n'.repeat(60)}}\n`, ['push', 'class Queue']],
    ['queue.rb', `class Queue\n${body}end\ndef push(a)\n${body}end\n`, ['class Queue', 'def push']],
    [
      'schema.sql',
      `CREATE TABLE boats (\n${'  id INTEGER,\n'.repeat(60)});\nCREATE TABLE piers (\n${'  id INTEGER,\n'.repeat(60)});\n`,
      ['CREATE TABLE boats', 'CREATE TABLE piers'],
    ],
  ])('%s is cut at its definitions', async (name, content, headings) => {
    const found = await sections(content, name);
    expect(found.map((section) => section.text).join('')).toBe(content);
    expect(found.flatMap((section) => ('heading' in section && section.heading !== undefined ? [section.heading] : []))).toEqual(headings);
  });

  it('knows its lines, and keeps a comment with what it is about', async () => {
    const found = await sections(`${'const a = 1;\n'.repeat(60)}/** Adds. */\nfunction push() {\n${body}}\n`, 'a.js');
    expect(found.at(-1)).toMatchObject({ heading: 'push', metadata: { lines: '61-123' }, text: expect.stringMatching(/^\/\*\* Adds\. \*\//) });
  });

  it('with errors in it is read all the same, and a # in it is no heading', async () => {
    for (const [name, content] of [
      ['a.py', '# not a heading\ndef broken(:\n  pass\nclass'],
      ['a.ts', 'function ( { ] class \u0000 }'],
      ['a.sh', '# Setup\necho hi\n'],
      ['a.yaml', '# Setup\na: 1\n'],
      ['deep.js', `function f() {\n${'if (a) {'.repeat(20_000)}`],
      ['deep.py', `x = ${'('.repeat(20_000)}`],
    ] as const) {
      const found = await sections(content, name);
      expect(found.map((section) => section.text).join('')).toBe(content.replace('\u0000', ''));
      expect(JSON.stringify(found)).not.toContain('not a heading"');
    }
  });
});

describe('chat exports', () => {
  const chatGpt = [
    {
      title: 'Boats',
      conversation_id: 'c1',
      current_node: 'n4',
      mapping: {
        root: { id: 'root', message: null, parent: null, children: ['n1'] },
        n1: {
          id: 'n1',
          parent: 'root',
          children: ['n2', 'n3'],
          message: {
            id: 'm1',
            author: { role: 'user' },
            create_time: 1714557600,
            content: { content_type: 'text', parts: ['Which boat is blue?'] },
            recipient: 'all',
          },
        },
        n2: {
          id: 'n2',
          parent: 'n1',
          children: [],
          message: {
            id: 'm2',
            author: { role: 'assistant' },
            content: { content_type: 'text', parts: ['A first answer that was replaced.'] },
            recipient: 'all',
          },
        },
        n3: {
          id: 'n3',
          parent: 'n1',
          children: ['n4'],
          message: { id: 'm3', author: { role: 'tool' }, content: { content_type: 'text', parts: ['tool output'] } },
        },
        n4: {
          id: 'n4',
          parent: 'n3',
          children: [],
          message: {
            id: 'm4',
            author: { role: 'assistant' },
            create_time: 1714557660,
            content: { content_type: 'text', parts: ['The Osprey.'] },
            recipient: 'all',
          },
        },
      },
    },
  ];
  const claude = [
    {
      uuid: 'c9',
      name: 'Piers',
      chat_messages: [
        {
          uuid: 'm1',
          sender: 'human',
          text: 'Which pier?',
          created_at: '2024-05-01T10:00:00Z',
          attachments: [{ file_name: 'a.txt', extracted_content: 'Pier list' }],
        },
        {
          uuid: 'm2',
          sender: 'assistant',
          text: '',
          content: [
            { type: 'thinking', text: 'hm' },
            { type: 'text', text: 'Pier 31.' },
          ],
          created_at: '2024-05-01T10:00:05Z',
        },
      ],
    },
  ];

  it('of ChatGPT are read along the answers that were shown last', async () => {
    for (const content of [JSON.stringify(chatGpt), JSON.stringify(chatGpt[0])]) {
      const { messages } = await read(content, 'conversations.json');
      expect(messages.map(({ message, sessionId }) => [sessionId, message.role, message.content, message.at, message.metadata])).toEqual([
        ['c1', 'user', 'Which boat is blue?', '2024-05-01T10:00:00.000Z', { title: 'Boats' }],
        ['c1', 'assistant', 'The Osprey.', '2024-05-01T10:01:00.000Z', { title: 'Boats' }],
      ]);
    }
  });

  it('of Claude are read with what was attached, without thoughts', async () => {
    const { messages } = await read(JSON.stringify(claude), 'conversations.json');
    expect(messages.map(({ message, sessionId }) => [sessionId, message.role, message.content])).toEqual([
      ['c9', 'user', 'Which pier?\n\nPier list'],
      ['c9', 'assistant', 'Pier 31.'],
    ]);
  });

  it('are read out of the archive as it was sent', async () => {
    const zip = makeZip([
      { name: 'conversations.json', bytes: JSON.stringify(chatGpt) },
      { name: 'user.json', bytes: '{}' },
    ]);
    expect((await read(zip, 'export.zip')).messages).toHaveLength(2);
  });

  it('that are broken lose only what is broken, and a circle ends', async () => {
    const broken = [
      {
        title: 'Circle',
        mapping: {
          a: { parent: 'b', message: { author: { role: 'user' }, content: { content_type: 'text', parts: ['once'] } } },
          b: { parent: 'a' },
        },
        current_node: 'a',
      },
      7,
      {
        uuid: 'x',
        mapping: { n: { message: { author: { role: 'user' }, content: { content_type: 'text', parts: [{ text: 'part' }, { image: 1 }] } } } },
      },
    ];
    const { messages, leftOut } = await read(JSON.stringify(broken), 'conversations.json');
    expect(messages.map(({ message }) => message.content)).toEqual(['once', 'part']);
    expect(leftOut).toBe(1);
  });
});
