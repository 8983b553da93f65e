// Compiles src/embedded/kernel/kernel.as.ts to WebAssembly and writes it as a base64 constant beside it. Run after a change of the kernel:
//   node packages/vector/scripts/build-kernel.mjs
// With --check nothing is written; the status is 1 where the constant is not what the source compiles to.
import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import asc from 'assemblyscript/asc';

const folder = new URL('../src/embedded/kernel/', import.meta.url);

const target = new URL('kernel-bytes.ts', folder);

async function compile() {
  const source = await readFile(new URL('kernel.as.ts', folder), 'utf8');
  let binary;
  const { error, stderr } = await asc.main(
    [
      'kernel.ts',
      '--enable',
      'simd',
      '--enable',
      'relaxed-simd',
      '-O3',
      '--runtime',
      'stub',
      '--importMemory',
      '--noAssert',
      '--outFile',
      'kernel.wasm',
    ],
    {
      readFile: (name) => (name === 'kernel.ts' ? source : null),
      writeFile: (name, data) => {
        if (name === 'kernel.wasm') binary = data;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || binary === undefined) throw new Error(`The kernel did not compile: ${error?.message ?? ''}\n${stderr.toString()}`);
  return binary;
}

const binary = await compile();
const text = `// Written by scripts/build-kernel.mjs from kernel.as.ts; do not edit.\nexport const KERNEL_BYTES_BASE64 =\n  '${Buffer.from(binary).toString('base64')}';\n`;
if (process.argv.includes('--check')) {
  // Spaces and line breaks belong to the formatter.
  const bare = (code) => code.replaceAll(/\s/g, '');
  if (bare(await readFile(target, 'utf8')) !== bare(text)) {
    console.error('kernel-bytes.ts is not what kernel.as.ts compiles to; run node packages/vector/scripts/build-kernel.mjs');
    process.exitCode = 1;
  }
} else {
  await writeFile(target, text);
  console.log(`${fileURLToPath(target)}: ${binary.length} bytes`);
}
