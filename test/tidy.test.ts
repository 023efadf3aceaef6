/**
 * The house rules that are checked by machine: each is first proved on a file that breaks it, then held
 * against the whole repository.
 */
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { channelComparisons } from './helpers/tidy/channel-names.js';
import { checkLayers, checkRooms, checkWall } from './helpers/tidy/imports.js';
import {
  checkColumns,
  checkFileLength,
  checkFunctionLengths,
  checkNotEmpty,
  checkWords,
} from './helpers/tidy/shape.js';
import { isCode, parse, readRepository, type Source, type TextFile } from './helpers/tidy/source.js';
import {
  checkCircles,
  checkFolderSizes,
  checkRoomOrder,
  checkSubjects,
  checkUsed,
  SUBJECTS,
} from './helpers/tidy/subjects.js';
import { doubledTypes, exportUse, lineTotals, smallFiles } from './helpers/tidy/weight.js';

const repository = readRepository(fileURLToPath(new URL('../../', import.meta.url)));
const code = repository.filter(isCode).map(parse);

const sample = (path: string, text: string): Source => parse({ path, text });

/** A statement that imports; joined here so that the fixtures below are not imports of this file. */
const importing = (target: string) => `import { thing } from '${target}';\nthing();\n`;

test('the repository is found, so that the rules below look at something', (t) => {
  const paths = code.map((file) => file.path);
  for (const path of ['src/base/errors/errors.ts', 'bin/run.js', 'test/tidy.test.ts'])
    t.true(paths.includes(path), path);
  t.true(repository.some((file) => file.path === 'LICENSE'));
  t.false(repository.some((file) => file.path.includes('node_modules/') || file.path.includes('dist/')));
});

const upward: [path: string, target: string][] = [
  ['src/base/money.ts', '../domain/session.js'],
  ['src/config/home.ts', '../domain/session.js'],
  ['src/domain/session.ts', '../config/settings.js'],
  ['src/domain/session.ts', '../store/store.js'],
  ['src/channels/mfs/parse.ts', '../../store/store.js'],
  ['src/store/store.ts', '../notify/send.js'],
  ['src/store/tables/sms.ts', '../../actions/take-sms.js'],
  ['src/actions/take-sms.ts', '../cli/table.js'],
  ['src/actions/take-sms.ts', '../../daemon/main.js'],
  ['src/cli/table.ts', '../monitor/screen.js'],
  ['src/cli/table.ts', '../../daemon/main.js'],
  ['daemon/main.ts', '../src/cli/table.js'],
  ['daemon/main.ts', '../commands/daemon.js'],
  ['commands/monitor.ts', '../src/monitor/screen.js'],
  ['commands/daemon.ts', '../daemon/main.js'],
];
for (const [path, target] of upward) {
  test(`an import of ${target} in ${path} is reported`, (t) => {
    t.is(checkLayers(sample(path, importing(target))).length, 1);
    t.is(checkLayers(sample(path, `export * from '${target}';`)).length, 1);
    t.is(checkLayers(sample(path, `import type { Thing } from '${target}';`)).length, 1);
    t.is(checkLayers(sample(path, `export type Thing = import('${target}').Thing;`)).length, 1);
  });
}

test('imports that go down are not reported, nor is a daemon that a command loads when it runs', (t) => {
  const allowed: [path: string, text: string][] = [
    ['src/domain/session.ts', importing('../base/money.js')],
    ['src/domain/session.ts', importing('./matching.js')],
    ['src/actions/take-sms.ts', importing('../store/store.js')],
    ['commands/payments/list.ts', importing('../../src/cli/table.js')],
    ['commands/daemon.ts', "const { main } = await import('../daemon/main.js');"],
    ['commands/monitor.ts', "const { show } = await import('../src/monitor/terminal-screen.js');"],
    ['test/e2e/demo.test.ts', importing('../../daemon/main.js')],
  ];
  for (const [path, text] of allowed) t.deepEqual(checkLayers(sample(path, text)), [], path);
});

test('loading upwards at run time is an import too', (t) => {
  t.is(checkLayers(sample('src/actions/take-sms.ts', "await import('../../daemon/main.js');")).length, 1);
  t.is(checkLayers(sample('src/domain/session.ts', "await import('../store/store.js');")).length, 1);
});

test('product code that belongs to no layer, or imports what belongs to none, is reported', (t) => {
  t.is(checkLayers(sample('src/helpers.ts', 'export {};')).length, 1);
  t.is(checkLayers(sample('src/base/money.ts', importing('../../test/helpers/postgres.js'))).length, 1);
});

test('a heavy package outside its room is reported, inside it is not', (t) => {
  const outside: [path: string, name: string][] = [
    ['src/actions/take-sms.ts', 'node:sqlite'],
    ['src/cli/table.ts', 'pg'],
    ['src/actions/core.ts', 'fastify'],
    ['commands/daemon.ts', '@fastify/helmet'],
    ['commands/setup.ts', 'inquirer'],
    ['src/config/settings.ts', 'lowdb/node'],
    ['daemon/main.ts', 'node-cron'],
    ['daemon/main.ts', 'qrcode'],
    ['daemon/http/app.ts', 'eta/core'],
    ['src/base/money.ts', 'ethers'],
    ['src/monitor/model.ts', 'blessed'],
    ['src/channels/bep20/nodes.ts', 'got'],
  ];
  for (const [path, name] of outside) {
    t.is(checkRooms(sample(path, importing(name))).length, 1, name);
    t.is(checkRooms(sample(path, `await import('${name}');`)).length, 1, name);
    t.is(checkRooms(sample(path, `require('${name}');`)).length, 1, name);
  }
  const inside: [path: string, name: string][] = [
    ['src/store/sqlite-driver.ts', 'node:sqlite'],
    ['daemon/http/app.ts', '@fastify/helmet'],
    ['src/config/home.ts', 'lowdb/node'],
    ['daemon/loops/jobs.ts', 'node-cron'],
    ['src/actions/core.ts', 'pg-like'],
  ];
  for (const [path, name] of inside) t.deepEqual(checkRooms(sample(path, importing(name))), [], name);
});

test('an import across the wall between kashbox and kashbox-relay is reported, either way', (t) => {
  const faults = (path: string, name: string) => checkWall(sample(path, importing(name))).length;
  const relay = 'relay-android-ts/src/core/queue.ts';
  t.is(faults(relay, '../../../src/base/money.js') + faults(relay, 'kashbox/src/base/money.js'), 2);
  t.is(faults('src/cli/demo.ts', '../../relay-android-ts/src/main.js'), 1);
  t.is(faults('test/e2e/demo.test.ts', 'kashbox-relay'), 1);
  t.is(faults(relay, './journal.js') + faults(relay, 'commander'), 0);
  t.is(faults('test/helpers/outside/a.ts', '../../../relay-android-ts/test/helpers/pdu.js'), 0);
  t.is(faults('test/helpers/outside/a.ts', '../../../relay-android-ts/src/agent.js'), 1);
});

test('an import from one subject into another is reported unless the table has it', (t) => {
  const strange: [path: string, target: string][] = [
    ['src/actions/keys/list-keys.ts', '../claims/verify-claim.js'],
    ['src/actions/settlement/settle-claim.ts', '../claims/decide-claim.js'],
    ['src/actions/core/core.ts', '../brands/brand-view.js'],
    ['src/domain/sessions/fees.ts', '../matching/matching.js'],
    ['daemon/http/gates/auth.ts', '../routes/payment.js'],
    ['daemon/loops/jobs.ts', '../http/app.js'],
    ['relay-android-ts/src/core/inbox/queue.ts', '../sync/batch.js'],
  ];
  for (const [path, target] of strange) {
    t.is(checkSubjects(sample(path, importing(target))).length, 1, path);
    t.is(checkSubjects(sample(path, `import type { Thing } from '${target}';`)).length, 1, path);
  }
  const allowed: [path: string, target: string][] = [
    ['src/actions/claims/verify-claim.ts', '../settlement/settle-claim.js'],
    ['src/actions/claims/verify-claim.ts', './decide-claim.js'],
    ['src/actions/claims/verify-claim.ts', '../../domain/sessions/session.js'],
    ['daemon/http/app.ts', './routes/payment.js'],
    ['daemon/http/routes/payment.ts', '../errors.js'],
  ];
  for (const [path, target] of allowed) t.deepEqual(checkSubjects(sample(path, importing(target))), [], path);
  t.is(checkSubjects(sample('src/actions/payouts/payout.ts', 'export {};')).length, 1);
});

test('the table of subjects has no circle', (t) => {
  t.is(checkRoomOrder({ one: ['two'], two: ['one'] }).length, 2);
  for (const [folder, rooms] of Object.entries(SUBJECTS)) t.deepEqual(checkRoomOrder(rooms), [], folder);
});

test('files that import each other in a circle are reported, also for a type', (t) => {
  const circle = [
    sample('src/base/one.ts', importing('./two.js')),
    sample('src/base/two.ts', "import type { Thing } from './three.js';"),
    sample('src/base/three.ts', "export const load = () => import('./one.js');"),
  ];
  t.is(checkCircles(circle).length, 1);
  t.deepEqual(checkCircles(circle.slice(0, 2)), []);
});

test('a file of the product that nothing of the product imports is reported', (t) => {
  const files = [
    sample('commands/setup.ts', importing('../src/base/one.js')),
    sample('src/base/one.ts', 'export {};'),
    sample('src/base/two.ts', 'export {};'),
    sample('test/base/two.test.ts', importing('../../src/base/two.js')),
  ];
  t.deepEqual(checkUsed(files), ['src/base/two.ts is imported by nothing']);
});

test('a folder of more than 30 files is reported', (t) => {
  const files = (count: number) => Array.from({ length: count }, (_, at) => ({ path: `src/base/f${at}.ts` }));
  t.is(checkFolderSizes(files(31)).length, 1);
  t.deepEqual(checkFolderSizes(files(30)), []);
});

test('a file over 500 lines is reported, one of 500 is not', (t) => {
  t.is(checkFileLength(sample('src/base/long.ts', 'export {};\n'.repeat(501))).length, 1);
  t.deepEqual(checkFileLength(sample('src/base/long.ts', 'export {};\n'.repeat(500))), []);
});

test('a function over 70 lines is reported, whatever its kind; one of 70 is not', (t) => {
  const body = (lines: number) => `{\n${'  step();\n'.repeat(lines - 2)}}`;
  const kinds = [
    (lines: number) => `function name() ${body(lines)}`,
    (lines: number) => `const name = () => ${body(lines)};`,
    (lines: number) => `const name = function () ${body(lines)};`,
    (lines: number) => `class Name { method() ${body(lines)} }`,
    (lines: number) => `class Name { constructor() ${body(lines)} }`,
    (lines: number) => `class Name { get value() ${body(lines)} }`,
  ];
  for (const kind of kinds) {
    t.is(checkFunctionLengths(sample('src/base/long.ts', kind(71))).length, 1, kind(3));
    t.deepEqual(checkFunctionLengths(sample('src/base/long.ts', kind(70))), [], kind(3));
  }
});

test('a line over 110 columns is reported unless it holds text that cannot be broken', (t) => {
  const long = 'x'.repeat(111);
  t.is(checkColumns(sample('src/base/wide.ts', `// ${long}`)).length, 1);
  t.deepEqual(checkColumns(sample('src/base/wide.ts', `const a = '${long}';`)), []);
  t.deepEqual(checkColumns(sample('src/base/wide.ts', `// https://example.com/${long}`)), []);
});

test('an empty file is reported', (t) => {
  t.is(checkNotEmpty({ path: 'docs/later.md', text: ' \n' }).length, 1);
});

test('words about how the repository was written are reported', (t) => {
  const words = [
    ['Cl', 'aude'],
    ['Co-Authored', '-By: somebody'],
    ['see /wo', 'rk/notes'],
    ['/tmp/br', 'ief/x.md'],
    ['https://regis', 'try.example.org/pkg'],
    ['done in iss', 'ue 2'],
  ];
  for (const word of words) t.is(checkWords({ path: 'docs/a.md', text: `\n${word.join('')}\n` }).length, 1);
  t.deepEqual(
    checkWords({ path: 'docs/a.md', text: ['a network/wo', 'rk/ path, an issue of 2 coins'].join('') }),
    [],
  );
});

const rules: [title: string, files: readonly Source[], check: (file: Source) => string[]][] = [
  ['imports only go down', code, checkLayers],
  ['heavy packages stay in their rooms', code, checkRooms],
  ['subjects import only what the table says', code, checkSubjects],
  ['kashbox and kashbox-relay import nothing of each other', code, checkWall],
  ['no file is over 500 lines', code, checkFileLength],
  ['no function is over 70 lines', code, checkFunctionLengths],
  ['no line is over 110 columns', code, checkColumns],
];
for (const [title, files, check] of rules) {
  test(`in the repository ${title}`, (t) => t.deepEqual(files.flatMap(check), []));
}

const NAMED = [
  "if (channel === 'bep20') look();",
  'if (QR !== channel) look();',
  "const MINE = 'exchange_pay';\nif (channel === MINE) look();",
  "switch (channel) { case 'qr_interbank': look(); }",
  "if (channel.startsWith('mfs_')) look();",
  "if (['bep20', 'exchange_pay'].includes(channel)) look();",
  "const some = new Set(['bep20', 'exchange_pay']);",
  'const waits = { bep20: 120_000, exchange_pay: null };',
  'const hints = { [QR]: 1 };',
  "db.where('p.channel', '=', 'qr_interbank');",
  "db.where('p.channel', 'in', ['mfs_a', 'mfs_b']);",
  'function isWallet(value: unknown): value is MfsChannel { return look(value); }',
  'if (isWalletChannel(channel)) look();',
];

test('a comparison with the name of a channel is counted, however it is written', (t) => {
  for (const text of NAMED) {
    t.is(channelComparisons(sample('src/actions/claims/claim.ts', text)).length, 1, text);
    t.deepEqual(channelComparisons(sample('src/channels/bep20/describe.ts', text)), [], text);
  }
  const plain = [
    "if (CHANNEL[channel].kind === 'pull') look();",
    "look({ method: 'bep20' }, QR);",
    'if (!isChannel(value) || isPayChannel(value)) look();',
    "const texts = { bank: 'Bank transfer' };",
    "for (const channel of ['mfs_a', 'mfs_b']) look(channel);",
  ];
  for (const text of plain) t.deepEqual(channelComparisons(sample('daemon/main.ts', text)), [], text);
});

/** Where the code is about one channel and nothing else. */
const MOST_COMPARISONS = 10;

test('in the repository a channel is asked for its properties, and hardly anywhere for its name', (t) => {
  const places = code.flatMap(channelComparisons);
  t.true(places.length <= MOST_COMPARISONS, `${places.length}:\n${places.join('\n')}`);
});

test('in the repository no files import each other in a circle', (t) => t.deepEqual(checkCircles(code), []));
test('in the repository every file is used', (t) => t.deepEqual(checkUsed(code), []));
test('in the repository no folder holds more than 30 files', (t) => {
  t.deepEqual(checkFolderSizes(repository), []);
});

const textRules: [title: string, check: (file: TextFile) => string[]][] = [
  ['no file is empty', checkNotEmpty],
  ['no word tells how it was written', checkWords],
];
for (const [title, check] of textRules) {
  test(`in the repository ${title}`, (t) => t.deepEqual(repository.flatMap(check), []));
}

/** What the repository weighs. A change may lower a figure; who has to raise one says why in the commit. */
const MOST = { product: 109_200, tests: 103_900, smallFiles: 25, singleUse: 0.42, doubledTypes: 3 };

test('a small file with one importer, an export with one user and a type declared twice are found', (t) => {
  const files = [
    sample('src/base/one.ts', "import { two } from './two.js';\ninterface Row {}\nexport const one = two;\n"),
    sample('src/base/two.ts', 'type Row = string;\nexport const two = 2;\nexport const both = 3;\n'),
    sample('daemon/three.ts', "const { one } = await import('../src/base/one.js');\none();\n"),
    sample('test/base/two.test.ts', "import { both } from '../../src/base/two.js';\nboth;\n"),
  ];
  t.deepEqual(lineTotals(files), { product: 8, tests: 2 });
  t.deepEqual(smallFiles(files), [
    'src/base/one.ts (3) belongs into daemon/three.ts',
    'src/base/two.ts (3) belongs into src/base/one.ts',
  ]);
  t.deepEqual(exportUse(files), {
    all: 3,
    single: ['src/base/one.js one', 'src/base/two.js two', 'src/base/two.js both'],
  });
  t.deepEqual(doubledTypes(files), ['Row: src/base/one.ts, src/base/two.ts']);
});

test('the repository grows no heavier than its limits', (t) => {
  const lines = lineTotals(repository);
  const { all, single } = exportUse(code);
  const small = smallFiles(code);
  const doubled = doubledTypes(code);
  t.true(lines.product <= MOST.product, `${lines.product} lines of product`);
  t.true(lines.tests <= MOST.tests, `${lines.tests} lines of tests`);
  t.true(small.length <= MOST.smallFiles, `${small.length} small files:\n${small.join('\n')}`);
  t.true(single.length / all <= MOST.singleUse, `${single.length} of ${all} exports have one user`);
  t.true(doubled.length <= MOST.doubledTypes, `${doubled.length} names of types:\n${doubled.join('\n')}`);
});
