/** A trace out of a bundle names the source and the line where it happened. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import test, { type ExecutionContext } from 'ava';
import { build } from 'esbuild';
import { nameSources, sourceStack } from '../../../src/base/io/source-stack.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

const SOURCE = `
interface Order { readonly amount: number }

export function settle(order: Order): number {
  if (order.amount < 0) throw new Error('too little');
  return order.amount;
}
`;

/** The trace of an error in a bundle of `settle.ts`, as Node prints it without any map. */
async function rawStack(t: ExecutionContext): Promise<{ folder: string; bundle: string; stack: string }> {
  const folder = await temporaryFolder(t);
  const [source, bundle] = [join(folder, 'settle.ts'), join(folder, 'bundle.js')];
  writeFileSync(source, SOURCE);
  const options = { bundle: true, format: 'esm', sourcemap: true, minifyWhitespace: true } as const;
  await build({ entryPoints: [source], outfile: bundle, ...options });
  const program = `import(${JSON.stringify(pathToFileURL(bundle).href)})
    .then(({ settle }) => settle({ amount: -1 }))
    .catch((error) => console.log(error.stack));`;
  const stack = execFileSync(process.execPath, ['-e', program], { encoding: 'utf8', env: {} });
  return { folder, bundle, stack };
}

test('a frame of a bundle becomes the file, line and column of its source', async (t) => {
  const { folder, stack } = await rawStack(t);
  t.regex(stack, /at settle \(file:.*bundle\.js:1:\d+\)/);
  t.true(sourceStack(stack).includes(`at settle (${join(folder, 'settle.ts')}:5:`), sourceStack(stack));
  const error = new Error('too little');
  error.stack = stack;
  nameSources(error);
  t.is(error.stack, sourceStack(stack));
});

test('a frame of a file without a map stays as it is', async (t) => {
  const { bundle, stack } = await rawStack(t);
  rmSync(`${bundle}.map`);
  t.is(sourceStack(stack), stack);
});
