import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { type Failed, openCli } from '../helpers/programs/cli.js';
import { kashboxProgram } from '../helpers/programs/processes.js';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Manifest {
  readonly commands: Record<
    string,
    {
      readonly summary?: string;
      readonly description?: string;
      readonly examples?: readonly string[];
      readonly flags: Record<string, { readonly description?: string; readonly required?: boolean }>;
    }
  >;
}

const wrong: [args: string[], message: string, hint: string][] = [
  [['merchants', 'lst'], 'There is no command "merchants lst"', 'Did you mean: kashbox merchants list'],
  [['zzzzzz'], 'There is no command "zzzzzz"', 'See all commands: kashbox --help'],
  [
    ['merchants', 'list', 'foo'],
    'kashbox merchants list takes no argument "foo"',
    'See its usage: kashbox merchants list --help',
  ],
  [
    ['merchants', 'create', '--name', 'A', '--nam', 'B'],
    'Unknown flag: --nam',
    'Did you mean --name? See its usage: kashbox merchants create --help',
  ],
  [['merchants', 'create'], 'Missing flag --name', 'See its usage: kashbox merchants create --help'],
  [['merchants', 'show'], 'Missing argument MERCHANTS', 'See its usage: kashbox merchants show --help'],
  [
    ['payments', 'list', '--status', 'PAID'],
    'Expected --status=PAID to be one of: PENDING, COMPLETED, FAILED',
    'See its usage: kashbox payments list --help',
  ],
  [
    ['payments', 'list', '--limit', 'ten'],
    '--limit must be a whole number, not "ten"',
    'See its usage: kashbox payments list --help',
  ],
  [
    ['webhooks', 'listen', '--port', '80808'],
    '--port must be at most 65535',
    'See its usage: kashbox webhooks listen --help',
  ],
  [
    ['payments', 'list', '--stat', 'PENDING'],
    'Unknown flag: --stat',
    'Did you mean --status? See its usage: kashbox payments list --help',
  ],
  [
    ['payments', 'list', '--since', 'lately'],
    'since "lately" is no time',
    'Write how long ago (2h, 7d), today, yesterday, or a date: 2026-08-21 or "2026-08-21 12:35".',
  ],
  [
    ['setup', '--merchant-name', 'A', '--device-name', 'counter-1'],
    '--device-name also needs --sim',
    'See its usage: kashbox setup --help',
  ],
  [
    ['setup', '--device-name', 'counter-1'],
    '--device-name also needs --merchant-name, --sim',
    'See its usage: kashbox setup --help',
  ],
  [
    ['verifications', 'approve', 'F7C1', '--note', ''],
    '--note must say why, in a sentence',
    'See its usage: kashbox verifications approve --help',
  ],
];

test.serial('two ways to print are too many', async (t) => {
  const kashbox = await openCli(t);
  const ran = await kashbox('payments', 'list', '--json', '--csv');
  t.is(ran.code, 2);
  t.is(ran.json<Failed>().error.message, 'Choose one: --csv or --json');
  t.regex(
    (await kashbox('report', 'daily', '--html', 'a.html', '--csv')).stderr,
    /^Error: Choose one: --csv or --html\n/,
  );
});

test.serial('distinguishes an amount that is not a plain number from one that is too large', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  for (const amount of ['1,000', 'Tk500', '1e3', '-5', '']) {
    for (const line of ['payments create --brand Alo --name Rahima', 'links create --brand Alo']) {
      const ran = await kashbox(...line.split(' '), `--amount=${amount}`, '--json');
      t.is(ran.code, 2);
      const { code, message, hint } = ran.json<Failed>().error;
      t.is(message, `"${amount}" is not a valid amount`);
      t.is(code, 'amount_out_of_range');
      t.regex(hint, /plain digits without commas or Tk: 1000 or 1000\.50/);
    }
  }
  const large = await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'R', '--amount', '1000001');
  t.regex(large.stderr, /must be between 1 and 1000000/);
});

for (const [args, message, hint] of wrong) {
  test.serial(
    `kashbox ${args.join(' ')} is refused with exit code 2, for people and for scripts`,
    async (t) => {
      const kashbox = await openCli(t);
      const told = await kashbox(...args);
      t.is(told.code, 2);
      t.is(told.stdout, '');
      t.is(told.stderr, `Error: ${message}\nNext: ${hint}\n`);
      const asked = await kashbox(...args, '--json');
      t.is(asked.code, 2);
      t.is(asked.stderr, '');
      t.deepEqual(asked.json<Failed>(), { error: { code: 'invalid_input', message, hint } });
    },
  );
}

test.serial('a reader that closes the pipe early ends the program quietly', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const child = spawn(process.execPath, [kashboxProgram, 'merchants', 'list', '--ndjson'], {
    env: { PATH: process.env.PATH, KASHBOX_HOME: kashbox.home },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const [code] = await once(child, 'close');
  t.is(code, 0);
  t.is(stderr, '');
});

test.serial('--version and --help answer without making a home', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_HOME: '/nonexistent/kashbox' });
  const version = await kashbox('--version');
  t.is(version.code, 0);
  t.regex(version.stdout, /^kashbox\/\d+\.\d+\.\d+ /);
  const help = await kashbox('merchants', 'create', '--help');
  t.is(help.code, 0);
  t.regex(help.stdout, /EXAMPLES\n {2}\$ kashbox merchants create --name "Amar Dokan"/);
});

/** The commands of an example line: `a | b - > file` is two of them. Quoted words stay whole. */
function commandsOf(line: string, id: string): string[][] {
  const filled = line.replaceAll('<%= config.bin %>', 'kashbox').replaceAll('<%= command.id %>', id);
  const words = filled.match(/'[^']*'|"[^"]*"|[^\s"']+/g) ?? [];
  const commands: string[][] = [[]];
  for (const word of words) {
    if (word === '|') commands.push([]);
    else commands.at(-1)?.push(word);
  }
  return commands.filter(([program]) => program === 'kashbox').map(([, ...rest]) => rest);
}

test('every example names a command that exists, only flags that it has, and all that it needs', (t) => {
  const manifest = JSON.parse(readFileSync(`${root}oclif.manifest.json`, 'utf8')) as Manifest;
  let seen = 0;
  for (const [id, { examples = [] }] of Object.entries(manifest.commands)) {
    for (const line of examples) {
      for (const words of commandsOf(line, id)) {
        const named = [words.slice(0, 2).join(':'), words[0] ?? ''].find((name) => name in manifest.commands);
        const flags = manifest.commands[named ?? '']?.flags;
        t.truthy(flags, `${line}: no such command`);
        const used = words
          .filter((word) => word.startsWith('--'))
          .map((word) => word.slice(2).split('=')[0] ?? '');
        t.deepEqual(
          used.filter((flag) => !(flag in (flags ?? {}))),
          [],
          line,
        );
        const needed = Object.entries(flags ?? {}).flatMap(([name, flag]) => (flag.required ? [name] : []));
        t.deepEqual(
          needed.filter((name) => !used.includes(name)),
          [],
          line,
        );
        seen += 1;
      }
    }
  }
  t.true(seen > 40, String(seen));
});

test('every command says what it does, has examples, and explains each of its flags', (t) => {
  const manifest = JSON.parse(readFileSync(`${root}oclif.manifest.json`, 'utf8')) as Manifest;
  const commands = Object.entries(manifest.commands);
  t.true(commands.length >= 25, String(commands.length));
  for (const [id, command] of commands) {
    t.regex(command.summary ?? '', /^[A-Z].{3,78}\.$/, id);
    t.true((command.summary ?? '').split(' ').length <= 8, id);
    t.true((command.examples?.length ?? 0) > 0, `${id} has no example`);
    for (const [name, flag] of Object.entries(command.flags)) {
      t.regex(flag.description ?? '', /^.{3,104}\.$/, `${id} --${name}`);
    }
    t.true((command.description ?? '').split(' ').length <= 110, `${id} has a long description`);
  }
});
