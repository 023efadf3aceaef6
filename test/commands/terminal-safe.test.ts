/** What strangers write reaches no terminal as a command, whichever way it is printed. */
import test from 'ava';
import { openCli } from '../helpers/programs/cli.js';

/** Clears the screen, sets its title, turns the direction, and all that by one sign of C1 as well. */
const NASTY = 'Hi \u001b[2J\u001b]0;PAID\u0007 \u009b31m \u202eKT 005\u2069 \u0085 end\rPAID';
const COMMAND = /[\p{Bidi_Control}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;

test('an SMS of control characters is printed without any of them, and JSON keeps each', async (t) => {
  const kashbox = await openCli(t);
  const made = await kashbox(
    'setup',
    '--merchant-name',
    'Alo',
    '--account',
    'mfs_a:personal:01711000001',
    '--json',
  );
  t.is(made.code, 0, made.stderr);
  const sms = [
    'sms',
    'add',
    '--merchant',
    'Alo',
    '--recipient',
    '01711000001',
    '--sender',
    'bKash',
    '--text',
    NASTY,
  ];
  t.is((await kashbox(...sms)).code, 0);
  for (const how of [[], ['--csv'], ['--json'], ['--ndjson']]) {
    const { code, stdout } = await kashbox('sms', 'list', ...how);
    t.is(code, 0);
    t.true(stdout.includes('Hi '));
    t.notRegex(stdout.replaceAll('\r\n', '\n'), COMMAND, how.join(' '));
  }
  const [row] = (await kashbox('sms', 'list', '--json')).json<{ body: string }[]>();
  t.is(row?.body, NASTY);
  const [line] = (await kashbox('sms', 'list', '--ndjson')).ndjson<{ body: string }>();
  t.is(line?.body, NASTY);

  for (const how of [[], ['--json']]) {
    const refused = await kashbox('payments', 'show', `x${NASTY}`, ...how);
    t.is(refused.code, 3);
    t.notRegex(refused.stdout + refused.stderr, COMMAND);
  }
});
