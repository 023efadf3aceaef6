/** The npm package of clients/typescript as a shop installs it. */
import { cp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import { readPage } from '../helpers/browser/pages.js';
import { root, runProgram } from '../helpers/programs/processes.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const SOURCE = 'clients/typescript';
const PATH = `${root}node_modules/.bin:${process.env.PATH}`;

/** Without the types of Node. */
const STRICT = {
  ...{ strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
  ...{ target: 'es2022', module: 'nodenext', lib: ['es2023', 'dom', 'dom.iterable'], types: [] },
};

const CONSUMER = `
import { type DeliveryStore, FileDeliveryStore, Kashbox, KashboxError, type Payment, amountOf } from 'kashbox-client';
const deliveries: DeliveryStore = new FileDeliveryStore('.');
const kashbox = new Kashbox({ url: 'https://pay.example.com', key: 'bk_0123456789', deliveries });
export const verify = (id: string): Promise<Payment> => kashbox.verify({ id, order: 17, amount: '500.00' });
try {
  kashbox.receive('{}', new Map());
} catch (error) {
  if (error instanceof KashboxError) console.log(error.name, amountOf(500));
}
`;

test('the package of clients/typescript is packed, imported and type-checked as strictly as can be', async (t) => {
  const folder = await temporaryFolder(t);
  const copy = join(folder, 'client');
  await cp(join(root, SOURCE), copy, { recursive: true, filter: (path) => !path.endsWith('/dist') });
  // The compiler and the types of Node.
  await symlink(join(root, 'node_modules'), join(folder, 'node_modules'));
  const packed = await runProgram(t, 'npm', ['pack', '--json', '--pack-destination', folder, copy], {
    ...{ PATH, HOME: folder, npm_config_update_notifier: 'false' },
  });
  t.is(packed.code, 0, packed.stderr);
  const [{ filename, files }] = JSON.parse(packed.stdout.slice(packed.stdout.indexOf('[\n'))) as [
    { filename: string; files: { path: string }[] },
  ];
  const paths = files.map(({ path }) => path);
  for (const path of ['README.md', 'package.json', 'dist/kashbox.js', 'dist/kashbox.d.ts'])
    t.true(paths.includes(path), path);
  t.deepEqual(
    paths.filter((path) => /^(?:src|node_modules)\//.test(path)),
    [],
  );

  await rm(join(folder, 'node_modules'));
  const installed = join(folder, 'node_modules', 'kashbox-client');
  await mkdir(installed, { recursive: true });
  const unpack = ['-xzf', join(folder, filename), '--strip-components=1', '-C', installed];
  t.is((await runProgram(t, 'tar', unpack)).code, 0);
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
  await writeFile(join(folder, 'shop.ts'), CONSUMER);
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: STRICT, files: ['shop.ts'] }),
  );
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  const checked = await runProgram(t, process.execPath, [compiler, '-p', folder]);
  t.is(checked.code, 0, checked.stdout);
  const ran = await runProgram(t, process.execPath, [join(folder, 'shop.js')]);
  t.is(ran.stdout, 'InvalidInputError 500.00\n', ran.stderr);
});

test('the versions and names that users see are those of the packages', async (t) => {
  const { version, name } = JSON.parse(await readFile(join(root, SOURCE, 'package.json'), 'utf8')) as {
    version: string;
    name: string;
  };
  t.true(readPage(`${SOURCE}/README.md`).includes(`${name}-${version}.tgz`));
  t.regex(readPage('clients/python/pyproject.toml'), new RegExp(`^version = "${version}"$`, 'm'));
});
