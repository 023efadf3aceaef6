import test from 'ava';
import { type Failed, openCli } from '../../helpers/programs/cli.js';

test.serial('-h, --help and help show the same, for all commands, a topic and one command', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_HOME: '/nonexistent/kashbox' });
  for (const words of [[], ['payments'], ['payments', 'list'], ['setup']]) {
    const wanted = await kashbox(...words, '--help');
    t.is(wanted.code, 0, words.join(' '));
    t.regex(wanted.stdout, /USAGE/);
    for (const args of [
      [...words, '-h'],
      ['help', ...words],
    ]) {
      const ran = await kashbox(...args);
      t.is(ran.code, 0, args.join(' '));
      t.is(ran.stdout, wanted.stdout, args.join(' '));
    }
  }
});

test.serial(
  'help of a command that there is not says so and names the nearest, as the command would',
  async (t) => {
    const kashbox = await openCli(t);
    const told = 'Error: There is no command "payments lst"\nNext: Did you mean: kashbox payments list\n';
    for (const args of [
      ['payments', 'lst'],
      ['payments', 'lst', '--help'],
      ['payments', 'lst', '-h'],
      ['help', 'payments', 'lst'],
    ]) {
      const ran = await kashbox(...args);
      t.like(ran, { code: 2, stdout: '', stderr: told }, args.join(' '));
    }
    const asked = await kashbox('help', 'payments', 'lst', '--json');
    t.is(asked.code, 2);
    t.is(asked.json<Failed>().error.hint, 'Did you mean: kashbox payments list');
  },
);

test.serial('help --json lists commands, and one in full with its flags', async (t) => {
  const kashbox = await openCli(t);
  const all = (await kashbox('help', '--json')).json<{ command: string; summary: string }[]>();
  t.true(all.length > 60);
  const topic = (await kashbox('help', 'keys', '--json')).json<typeof all>();
  t.deepEqual(
    topic.map(({ command }) => command),
    ['keys list', 'keys revoke', 'keys rotate'],
  );
  const one = (await kashbox('help', 'keys', 'rotate', '--json')).json<{
    readonly command: string;
    readonly flags: readonly { readonly name: string; readonly required: boolean }[];
    readonly examples: readonly string[];
  }>();
  t.is(one.command, 'keys rotate');
  t.like(
    one.flags.find(({ name }) => name === 'brand'),
    { required: true, takes_value: true },
  );
  t.regex(one.examples[0] ?? '', /^kashbox keys rotate --brand/);
});

test.serial('version, --version and -v print one line; version --json is for programs', async (t) => {
  const kashbox = await openCli(t, { KASHBOX_HOME: '/nonexistent/kashbox' });
  const line = /^kashbox\/\d+\.\d+\.\d+ \S+ node-v\d+\.\d+\.\d+\n$/;
  for (const word of ['version', '--version', '-v']) t.regex((await kashbox(word)).stdout, line, word);
  const told = (await kashbox('version', '--json')).json();
  t.is(told.node, process.versions.node);
  t.regex(String(told.version), /^\d+\.\d+\.\d+/);
});

test.serial('the usage of a command names the flags that it needs', async (t) => {
  const kashbox = await openCli(t);
  const { stdout } = await kashbox('accounts', 'set', '--help');
  t.regex(stdout, /USAGE\n {2}\$ kashbox accounts set --brand BRAND --channel CHANNEL\n/);
  const verify = (await kashbox('payments', 'verify', '--help')).stdout;
  t.regex(verify, /\$ kashbox payments verify PAYMENTS --channel CHANNEL --transaction-id ID\n/);
});
