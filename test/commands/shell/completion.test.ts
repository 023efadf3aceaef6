/** Completing is tried in a real bash, and in zsh and fish where they are installed. */
import { existsSync, readdirSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { startProgram, withinTime } from '../../helpers/programs/processes.js';

type Shell = 'bash' | 'zsh' | 'fish';

const isInstalled = (shell: Shell) =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, shell)));

/** The script as a file, in a home that no command may make. */
async function scriptFor(t: ExecutionContext<unknown>, shell: Shell): Promise<string> {
  const kashbox = await openCli(t);
  const made = await kashbox('completion', shell);
  t.is(made.code, 0, made.stderr);
  t.deepEqual(readdirSync(kashbox.home), [], 'no store is made');
  const file = join(kashbox.home, `kashbox.${shell}`);
  await writeFile(file, made.stdout);
  return file;
}

async function ran(t: ExecutionContext<unknown>, program: string, ...args: string[]): Promise<string[]> {
  const child = startProgram(t, program, args, { HOME: '/nonexistent' });
  child.stdin.end();
  const { code } = await withinTime(child);
  t.is(code, 0, child.stderr());
  t.is(child.stderr(), '');
  return child
    .stdout()
    .split('\n')
    .filter((line) => line !== '');
}

/** [words behind kashbox, the last of them being typed; what is offered]. bash itself parts words at "=". */
const OFFERS: readonly (readonly [words: readonly string[], offered: readonly string[]])[] = [
  [['paym'], ['payments']],
  [
    ['payments', ''],
    ['cancel', 'create', 'export', 'list', 'show', 'tail', 'verify'],
  ],
  [['payments', 'list', '--st'], ['--status']],
  [
    ['payments', 'list', '--status', ''],
    ['COMPLETED', 'FAILED', 'PENDING'],
  ],
  [['payments', 'list', '--json', '--status', 'PE'], ['PENDING']],
  [['payments', 'list', '--brand', ''], []],
  [['payments', 'show', ''], []],
  [['doctor', '--js'], ['--json']],
  [['help', 'paym'], ['payments']],
  [['help', 'keys', 'ro'], ['rotate']],
  [
    ['completion', ''],
    ['bash', 'fish', 'zsh'],
  ],
  [
    ['daemon', '--tls-cert', '/etc/host'],
    ['/etc/host.conf', '/etc/hostname', '/etc/hosts'],
  ],
  [['nonsense', ''], []],
];

const COMPLETE_IN_BASH = `
source "$1"; shift
COMP_WORDS=(kashbox "$@"); COMP_CWORD=$#
_kashbox
if [ "\${#COMPREPLY[@]}" -gt 0 ]; then printf '%s\\n' "\${COMPREPLY[@]}"; fi
`;

test.serial('bash completes commands, flags, their values and files', async (t) => {
  const file = await scriptFor(t, 'bash');
  const bash = ['--norc', '--noprofile', '-c', COMPLETE_IN_BASH, 'complete', file];
  for (const [words, offered] of [
    ...OFFERS,
    [['payments', 'list', '--status', '=', 'PE'], ['PENDING']],
    [
      ['payments', 'list', '--status', '='],
      ['COMPLETED', 'FAILED', 'PENDING'],
    ],
  ] as typeof OFFERS) {
    const found = (await ran(t, 'bash', ...bash, ...words)).sort();
    const there = found.filter((word) => !word.startsWith('/') || offered.includes(word));
    t.deepEqual(
      there,
      offered.filter((word) => !word.startsWith('/') || existsSync(word)),
      words.join(' '),
    );
  }
});

test.serial('fish completes the same', async (t) => {
  const file = await scriptFor(t, 'fish');
  if (!isInstalled('fish')) return t.pass('fish is not installed');
  for (const [words, offered] of OFFERS) {
    const line = `source ${file}; complete -C 'kashbox ${words.join(' ')}'`;
    const found = (await ran(t, 'fish', '--no-config', '-c', line))
      .map((one) => one.split('\t')[0] ?? '')
      .sort();
    const there = found.filter((word) => !word.startsWith('/') || offered.includes(word));
    t.deepEqual(
      there,
      offered.filter((word) => !word.startsWith('/') || existsSync(word)),
      words.join(' '),
    );
  }
});

test.serial('zsh parses the script, which contains every command', async (t) => {
  const file = await scriptFor(t, 'zsh');
  if (isInstalled('zsh')) await ran(t, 'zsh', '-f', '-n', file);
  const kashbox = await openCli(t);
  const all = (await kashbox('help', '--json')).json<{ command: string }[]>();
  for (const shell of ['bash', 'zsh', 'fish']) {
    const script = (await kashbox('completion', shell, '--json')).json().script as string;
    for (const { command } of all) t.true(script.includes(command), `${shell}: ${command}`);
    t.is(script.split("'").length % 2, 1, `${shell}: every quote is closed`);
  }
});

test.serial('another shell is refused with the three that there are', async (t) => {
  const kashbox = await openCli(t);
  const refused = await kashbox('completion', 'tcsh', '--json');
  t.is(refused.code, 2);
  t.regex(refused.json<Failed>().error.message, /bash, zsh, fish/);
});
