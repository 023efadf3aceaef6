/** What the disk does to SMS on their way through the real gammu-smsd: none is lost when it is full. */
import { execFileSync, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import anyTest, { type ExecutionContext } from 'ava';
import { RelayError } from '../../../src/core/errors.js';
import { GammuFolder } from '../../../src/platforms/modem/gammu/gammu-folder.js';
import { until } from '../../helpers/agent.js';
import { GammuSetup, hasGammu } from '../../helpers/modem/gammu-setup.js';

const test = hasGammu() ? anyTest : anyTest.skip;

/** Puts a disk without room in the place of gammu's inbox, for gammu and its script alone. */
const WRAPPER = `#!/bin/sh
[ -e "$(dirname "$0")/full" ] || exec REAL "$@"
INBOX="$(dirname "$2")/inbox" exec unshare -m /bin/sh -c '
mount -t tmpfs -o size=4k tmpfs "$INBOX" && head -c 4096 /dev/zero > "$INBOX/.all" && exec REAL "$@"' sh "$@"
`;

/**
 * A PATH in which gammu-smsd has a full disk; null where none can be mounted. Not in a space of users of its
 * own: the port, which the test holds open, would be refused to it.
 */
async function fullDisk(t: ExecutionContext): Promise<{ path: string; free: () => Promise<void> } | null> {
  const tried = spawnSync('unshare', ['-m', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' });
  if (tried.status !== 0) {
    t.log('no disk can be mounted here: what happens when one is full was not tried');
    return null;
  }
  const folder = await mkdtemp(join(tmpdir(), 'full-disk-'));
  t.teardown(() => rm(folder, { recursive: true }));
  const real = execFileSync('sh', ['-c', 'command -v gammu-smsd'], { encoding: 'utf8' }).trim();
  await writeFile(join(folder, 'gammu-smsd'), WRAPPER.replaceAll('REAL', real));
  await chmod(join(folder, 'gammu-smsd'), 0o755);
  await writeFile(join(folder, 'full'), '');
  return { path: `${folder}:${process.env.PATH}`, free: () => rm(join(folder, 'full')) };
}

test('where the disk is full, the SMS stays on the SIM until there is room', async (t) => {
  const disk = await fullDisk(t);
  if (disk === null) return t.pass();
  const setup = await GammuSetup.make(t, {}, { path: disk.path });
  setup.modem.deliver({ from: 'bKash', text: 'Tk 500' });
  await setup.begin();
  const starts = () => setup.modem.commands.filter((command) => command === 'AT+CGSN').length;
  await until('gammu was ended after it had read it', () => starts() > 1, 120_000);
  t.is(setup.modem.storage.of('SM').size, 1);
  t.deepEqual(await setup.agent.list(), []);
  await disk.free();
  t.deepEqual(
    (await setup.list(1)).map(({ text }) => text),
    ['Tk 500'],
  );
  await setup.emptied();
});

test('a folder that cannot be written holds up the start, not the agent, and is tried again', async (t) => {
  const setup = await GammuSetup.make(t);
  await writeFile(setup.folder, 'in its place');
  await setup.begin();
  t.regex(await setup.problem(), /cannot be written/);
  const refused = await setup.agent.send({ id: 'a', number: '01711000000', text: 'x' });
  t.regex(refused.kind === 'refused' ? refused.error : '', /nothing was sent: .*cannot be written/);
  await rm(setup.folder);
  await setup.works();
});

test('a path that a shell or gammu could take for more than a path is refused', async (t) => {
  const home = await mkdtemp(join(tmpdir(), 'kashbox-gammu-'));
  t.teardown(() => rm(home, { recursive: true }));
  const plan = { device: '/dev/ttyUSB0', sendSeconds: 1 };
  for (const name of ['a&b', 'a b', '$(id)', 'é', 'a(b']) {
    await mkdir(join(home, name));
    await t.throwsAsync(new GammuFolder(join(home, name)).prepare(plan), { instanceOf: RelayError });
    t.deepEqual(await readdir(join(home, name)), []);
  }
  const folder = new GammuFolder(join(home, 'modem'));
  await t.throwsAsync(folder.prepare({ ...plan, device: '/dev/a;b' }), { instanceOf: RelayError });
  await folder.prepare(plan);
  t.regex(await readFile(folder.config, 'utf8'), /^device = \/dev\/ttyUSB0$/m);
});
