/** `kashbox open`: the address of a daemon that runs, what to do about one that does not, the dashboard. */
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { freePort } from '../../helpers/network/free-port.js';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { startDaemonHere } from '../../helpers/programs/daemon-here.js';
import { openTerminal } from '../../helpers/programs/terminal.js';
import { until } from '../../helpers/until.js';

test.serial('docs prints the address of the reference, at which the daemon serves it', async (t) => {
  const port = await freePort();
  const env = { KASHBOX_PORT: String(port), KASHBOX_BASE_PATH: '/pay' };
  const kashbox = await openCli(t, env);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const url = `https://127.0.0.1:${port}/pay/docs`;
  const stopped = await kashbox('open', 'docs', '--json');
  t.is(stopped.code, 5);
  const { message, hint } = stopped.json<Failed>().error;
  t.true(message.includes(url), message);
  t.regex(hint, /^Start it: .*(kashbox daemon|systemctl)/);
  const daemon = await startDaemonHere(t, { home: kashbox.home, port, env });
  t.is((await kashbox('open', 'docs')).stdout, `${url}\n`);
  t.deepEqual((await kashbox('open', 'docs', '--json')).json(), { url, opened: false });
  t.is((await daemon.get('/pay/docs')).status, 200);
});

test.serial('docs opens the browser in a terminal with a display, and prints the address', async (t) => {
  const port = await freePort();
  const { home } = await openCli(t);
  await startDaemonHere(t, { home, port });
  const opened = join(home, 'opened');
  const browser = join(home, 'xdg-open');
  writeFileSync(
    browser,
    `#!/bin/sh\nprintf '%s' "$1" > '${opened}.draft'\nmv '${opened}.draft' '${opened}'\n`,
  );
  chmodSync(browser, 0o755);
  const own = { KASHBOX_HOME: home, KASHBOX_PORT: String(port), TERM: 'xterm', LANG: 'C.UTF-8' };
  const env = { ...own, DISPLAY: ':7', PATH: `${home}:/usr/bin:/bin` };
  const terminal = await openTerminal(t, { columns: 80, rows: 24, args: ['open', 'docs'], env });
  const url = `https://127.0.0.1:${port}/docs`;
  t.true((await terminal.shows(/ended with \d/)).includes(`${url}\nended with 0`));
  await until(async () => existsSync(opened));
  t.is(readFileSync(opened, 'utf8'), url);
});

test.serial('dashboard is the monitor, with the same context and output', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('contexts', 'add', 'shop', '--home', kashbox.home);
  const data = (await kashbox('open', 'dashboard', '--json')).json();
  t.deepEqual(Object.keys(data), Object.keys((await kashbox('monitor', '--json')).json()));
  const none = await kashbox('open', 'dashboard', '--json', '--context', 'nobody');
  t.is(none.json<Failed>().error.code, 'not_found');
  t.regex((await kashbox('open', 'dashboard')).stderr, /Use `kashbox monitor --json`/);
  const wrong = await kashbox('open', 'page');
  t.deepEqual([wrong.code, wrong.stdout], [2, '']);
  t.regex(wrong.stderr, /docs, dashboard/);
});
