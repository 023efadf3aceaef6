/**
 * What the documentation says that a machine can check: settings, commands, scripts, files and packages.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { envVariableName, SETTINGS } from '../src/config/settings.js';
import {
  STRANGER_SCOPES,
  STRANGER_USES,
  type StrangerScope,
  useFacts,
} from '../src/domain/strangers/budget.js';
import { STATE_NAMES } from './helpers/shop/checkout-states.js';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'SECURITY.md',
  ...['docs', 'docs/adr', 'docs/development', 'docs/install'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  ),
]
  .filter((path) => path.endsWith('.md'))
  .map((path) => ({ path, text: read(path) }));
const { scripts, dependencies, devDependencies, optionalDependencies } = JSON.parse(
  read('package.json'),
) as Record<string, Record<string, string>>;

const cell = (text: string) => (text === '' ? '' : `\`${text}\``);

test('docs/configuration.md lists every setting with its variable, default, meaning and limits', (t) => {
  const rows = Object.entries(SETTINGS).map(([name, { initial, about, parse }]) => {
    const parsed = parse('!');
    const limits = 'fault' in parsed ? `: ${parsed.fault.replace('must be ', '')}` : '';
    return `| ${cell(name)} | ${cell(envVariableName(name))} | ${cell(String(initial))} | ${about}${limits} |`;
  });
  const listed = read('docs/configuration.md')
    .split('\n')
    .filter((line) => line.includes('`KASHBOX_') && line.startsWith('| `'));
  t.deepEqual(listed, rows);
});

/** Each `kashbox …` of the shell examples of a page, as its words. */
function callsIn(text: string): string[][] {
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' '),
  );
  const lines = blocks.join('\n').split('\n');
  return lines
    .map((line) => wordsOf(line.replace(/^node bin\/run\.js\b/, 'kashbox')))
    .filter(([first]) => first === 'kashbox')
    .map((words) => words.slice(1, words.includes('#') ? words.indexOf('#') : undefined));
}

function wordsOf(line: string): string[] {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^["']|["']$/g, ''));
}

/** Each `kashbox …` between backticks in the sentences of a page, as its words. */
function namedIn(text: string): string[][] {
  return [...withoutCode(text).matchAll(/`kashbox ([^`]+)`/g)].map(([, line = '']) => wordsOf(line));
}

interface CommandClass {
  readonly flags?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly baseFlags?: CommandClass['flags'];
}

/** The command that the words begin with; its path is its name. */
async function commandOf(words: readonly string[]): Promise<CommandClass | undefined> {
  const names = [words.slice(0, 2), words.slice(0, 1)].map((part) => part.join('/'));
  const found = names.find((name) => existsSync(join(root, 'commands', `${name}.ts`)));
  if (found === undefined) return undefined;
  const module = (await import(`../commands/${found}.js`)) as { readonly default: CommandClass };
  return module.default;
}

for (const { path, text } of pages) {
  const calls = callsIn(text);
  if (calls.length === 0) continue;
  test(`the commands in ${path} exist, with their flags`, async (t) => {
    for (const words of calls) {
      const line = words.join(' ');
      const command = await commandOf(words);
      if (command === undefined) {
        t.fail(`there is no kashbox ${line}`);
        continue;
      }
      const flags = { ...command.baseFlags, ...command.flags };
      const given = words
        .filter((word) => word.startsWith('--'))
        .map((word) => word.slice(2).replace(/=.*/, ''));
      t.deepEqual(
        given.filter((name) => !Object.hasOwn(flags, name)),
        [],
        line,
      );
      const required = Object.keys(flags).filter((name) => flags[name]?.required);
      t.deepEqual(
        required.filter((name) => !given.includes(name)),
        [],
        line,
      );
    }
  });
}

test('the quick start has commands to be checked, and the README leads to it', (t) => {
  t.true(callsIn(read('docs/quick-start.md')).length >= 5);
  t.true(read('README.md').includes('](docs/quick-start.md)'));
});

/** Whether the words begin with a topic, and no command is named. */
const isTopic = ([topic = '', second = '']: readonly string[]) =>
  existsSync(join(root, 'commands', topic)) && !/^[a-z]/.test(second);

test('commands that sentences name exist, with their flags', async (t) => {
  const named = pages.flatMap(({ path, text }) => namedIn(text).map((words) => ({ path, words })));
  t.true(named.length > 200);
  for (const { path, words } of named.filter(
    ({ words }) => /^[a-z]/.test(words[0] ?? '') && !isTopic(words),
  )) {
    const line = `${path}: kashbox ${words.join(' ')}`;
    const command = await commandOf(words);
    if (command === undefined) {
      t.fail(`there is no ${line}`);
      continue;
    }
    const flags = { ...command.baseFlags, ...command.flags };
    const given = words
      .filter((word) => /^--[a-z]/.test(word))
      .map((word) => word.slice(2).replace(/[=,].*/, ''));
    const unknown = given.filter((name) => !Object.hasOwn(flags, name) && !['help', 'json'].includes(name));
    t.deepEqual(unknown, [], line);
  }
});

const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '');

/** Names under which links reach the headings of a page. */
function anchorsOf(text: string): string[] {
  const headings = [...withoutCode(text).matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) => heading);
  return headings.map((heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}_\- ]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test('links in the documentation lead to files and headings', (t) => {
  const broken = pages.flatMap(({ path, text }) => {
    const links = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
    return links
      .filter((link) => !link.includes('://') && !leads(path, link))
      .map((link) => `${path}: ${link}`);
  });
  t.deepEqual(broken, []);
});

/** True if the file of a link exists and, for a page, has the heading that is named. */
function leads(from: string, link: string): boolean {
  const [file = '', anchor] = link.split('#');
  const target = file === '' ? from : join(dirname(from), file);
  if (!existsSync(join(root, target))) return false;
  return anchor === undefined || !target.endsWith('.md') || anchorsOf(read(target)).includes(anchor);
}

test('paths of code in the documentation lead to files', (t) => {
  const missing = pages.flatMap(({ path, text }) => {
    const named = text.matchAll(/`((?:src|daemon|commands|test|bin|relay-android-ts)\/[\w./-]+\.[jt]s)`/g);
    return [...named]
      .filter(([, file = '']) => !existsSync(join(root, file)))
      .map(([, file]) => `${path}: ${file}`);
  });
  t.deepEqual(missing, []);
});

test('npm commands in the documentation are scripts of the package', (t) => {
  const wanted = pages.flatMap(({ text }) => [
    ...text.matchAll(/`?npm (?:run )?(start|test|run [\w:-]+|build|bench|lint|format)\b/g),
  ]);
  const names = new Set(wanted.map(([, name = '']) => name.replace('run ', '')));
  t.true(names.has('start') && names.has('test'));
  t.deepEqual(
    [...names].filter((name) => !Object.hasOwn(scripts ?? {}, name)),
    [],
  );
});

/** Packages by name, each with what it is for or what keeps it out. */
const bundleLists = () =>
  import(join(root, 'bin/program-bundle.js')) as Promise<
    Readonly<Record<'BUNDLED' | 'BESIDE' | 'FILES' | 'NEVER', Readonly<Record<string, string>>>>
  >;

test('docs/adr says of every package what it is for, and of no other', async (t) => {
  const table = read('docs/adr/0049-dependencies.md').split('| package | for |')[1] ?? '';
  const rows = table.split('\n').filter((line) => line.startsWith('| `'));
  const named = rows.flatMap((line) =>
    [...(line.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const { BUNDLED } = await bundleLists();
  const shipped = [...Object.keys({ ...dependencies, ...optionalDependencies }), ...Object.keys(BUNDLED)];
  t.deepEqual(named.sort(), shipped.sort());
});

test('package-lock.json has a checksum for every package, and no address', (t) => {
  const { packages } = JSON.parse(read('package-lock.json')) as {
    readonly packages: Readonly<Record<string, { link?: true; integrity?: string; resolved?: string }>>;
  };
  const fetched = Object.entries(packages).filter(
    ([path, { link }]) => path.includes('node_modules/') && link !== true,
  );
  const without = fetched.filter(
    ([, { integrity, resolved }]) => integrity === undefined || resolved !== undefined,
  );
  t.deepEqual(
    without.map(([path]) => path),
    [],
  );
});

test('bin/program-bundle.js lists what is bundled and what stays outside, and the bill of materials has it all', async (t) => {
  const found = JSON.parse(read('dist/.program-packages.json')) as {
    readonly bundled: readonly string[];
    readonly external: readonly string[];
  };
  const { BUNDLED, BESIDE, FILES, NEVER } = await bundleLists();
  t.deepEqual(Object.keys(BUNDLED).sort(), found.bundled);
  t.deepEqual(Object.keys({ ...BESIDE, ...NEVER }).sort(), found.external);
  t.deepEqual(
    Object.keys({ ...BESIDE, ...FILES }).filter((name) => !Object.hasOwn(dependencies ?? {}, name)),
    [],
  );
  const { components } = JSON.parse(read('dist/program/sbom.cdx.json')) as {
    readonly components: readonly { readonly name: string; readonly version: string }[];
  };
  const listed = new Set(components.map(({ name, version }) => `${name} ${version}`));
  const licences = [...read('dist/program/licenses.txt').matchAll(/^(\S+ \d+\.\d+\.\S+) \(/gm)];
  const all = [
    ...licences.map(([, name = '']) => name),
    ...Object.keys(BUNDLED).map((name) => `${name} ${devDependencies?.[name]}`),
    ...Object.entries(dependencies ?? {}).map(([name, version]) => `${name} ${version}`),
  ];
  t.true(all.length > 150);
  t.deepEqual(
    all.filter((name) => !listed.has(name)),
    [],
  );
});

test('docs/development/checkout-states.md shows every state of the page, and every picture there is', (t) => {
  const picturesIn = (page: string) =>
    [...read(page).matchAll(/screens\/([\w-]+)\.webp\)/g)].map(([, name = '']) => name);
  const shown = picturesIn('docs/development/checkout-states.md');
  const states = STATE_NAMES.flatMap((name) => [`${name}-bn-phone`, `${name}-en-desktop`]).sort();
  t.deepEqual(shown.sort(), states);
  const pictures = readdirSync(join(root, 'docs/screens'))
    .filter((name) => name.endsWith('.webp'))
    .map((name) => name.replace('.webp', ''));
  t.deepEqual(pictures.sort(), [...states, ...picturesIn('docs/counter-display.md')].sort());
});

test('docs/security.md shows the limits of people without a key as the code has them', (t) => {
  const text = read('docs/security.md');
  for (const use of STRANGER_USES) {
    const { what, limits } = useFacts(use);
    const shown = (scope: StrangerScope) =>
      ` ${limits[scope]?.toLocaleString('en') ?? ''} |`.replace('  |', ' |');
    t.true(text.includes(`| ${what} |${STRANGER_SCOPES.map(shown).join('')}`), what);
  }
});
