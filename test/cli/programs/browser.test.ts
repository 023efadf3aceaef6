/** Where a browser is opened, with what, and that nobody waits for it. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { browserCommand, openInBrowser } from '../../../src/cli/programs/browser.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';
import { until } from '../../helpers/until.js';

const URL = 'https://pay.example.com/docs';

test('the program of the system opens it, in a terminal with a display only', (t) => {
  const of = (platform: NodeJS.Platform, env: Record<string, string>, isTerminal = true) =>
    browserCommand({ platform, env, isTerminal });
  t.deepEqual(of('linux', { DISPLAY: ':0' }), ['xdg-open']);
  t.deepEqual(of('freebsd', { DISPLAY: '', WAYLAND_DISPLAY: 'wayland-0' }), ['xdg-open']);
  t.is(of('linux', { DISPLAY: '' }), null);
  t.is(of('linux', { DISPLAY: ':0' }, false), null);
  t.deepEqual(of('darwin', {}), ['open']);
  t.deepEqual(of('win32', {}), ['cmd', '/c', 'start', '']);
  t.is(of('darwin', {}, false), null);
});

test('the browser gets the address, and without that program nothing is opened', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'opened');
  writeFileSync(
    join(folder, 'xdg-open'),
    `#!/bin/sh\nprintf '%s' "$*" > '${file}.draft' && mv '${file}.draft' '${file}'\n`,
  );
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const desktop = (path: string) => ({
    platform: 'linux' as const,
    env: { PATH: path, DISPLAY: ':0' },
    isTerminal: true,
  });
  t.true(await openInBrowser(URL, desktop(`${folder}:/usr/bin:/bin`)));
  const opened = () => {
    try {
      return readFileSync(file, 'utf8');
    } catch {
      return null;
    }
  };
  await until(async () => opened() !== null);
  t.is(opened(), URL);
  t.false(await openInBrowser(URL, desktop(join(folder, 'nothing'))));
});
