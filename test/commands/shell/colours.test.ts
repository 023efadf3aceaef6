/** What a person sees on a real terminal, and what a pipe gets. */
import test from 'ava';
import { openCli } from '../../helpers/programs/cli.js';
import { openTerminal } from '../../helpers/programs/terminal.js';

const PENDING_IN_YELLOW = /\u001b\[33mPENDING/;

test('states have colours on a terminal, none with NO_COLOR, and none in a pipe', async (t) => {
  const kashbox = await openCli(t, { TERM: 'xterm-256color' });
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'Rahima', '--amount', '5');
  const shown = async (extra: Record<string, string>) => {
    const env = { TERM: 'xterm-256color', LANG: 'C.UTF-8', KASHBOX_HOME: kashbox.home, ...extra };
    const terminal = await openTerminal(t, { columns: 100, rows: 20, args: ['payments', 'list'], env });
    await terminal.shows(/ended with 0/);
    return terminal.text(true);
  };
  const coloured = await shown({});
  t.regex(coloured, PENDING_IN_YELLOW);
  t.regex(coloured, /Rahima/);
  for (const extra of [{ NO_COLOR: '1' }, { TERM: 'dumb' }] as Record<string, string>[]) {
    const plain = await shown(extra);
    t.regex(plain, /PENDING/);
    t.notRegex(plain, PENDING_IN_YELLOW);
  }
  t.notRegex((await kashbox('payments', 'list')).stdout, /\u001b/);
});
