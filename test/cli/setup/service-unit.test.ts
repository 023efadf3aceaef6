import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { serviceUnit, startLines, writeUnit } from '../../../src/cli/setup/managed-daemon.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

test('a unit names the home, runs this program, and starts with the machine or with its user', (t) => {
  const unit = serviceUnit({ home: '/srv/kash box/50%$HOME', host: '0.0.0.0', isOfMachine: true });
  t.true(unit.includes('\nEnvironment="KASHBOX_HOME=/srv/kash box/50%%$$HOME"\n'), unit);
  t.true(unit.includes('\nReadWritePaths="/srv/kash box/50%%$$HOME"\n'), unit);
  t.regex(unit, new RegExp(`\\nExecStart=${process.execPath} \\S+ daemon --host 0\\.0\\.0\\.0\\n`));
  t.regex(unit, /\nType=notify\nNotifyAccess=all\n/);
  t.regex(unit, /\nWantedBy=multi-user\.target\n$/);
  const own = serviceUnit({ home: '/home/a/.kashbox', host: undefined, isOfMachine: false });
  t.regex(own, /daemon\n/);
  t.regex(own, /\nWantedBy=default\.target\n$/);
  // A user's manager cannot do these.
  t.notRegex(own, /CapabilityBoundingSet|ProtectSystem/);
  t.is(startLines(false).at(-1), 'loginctl enable-linger');
});

test('a unit of a package with its own Node names that by the path that was typed, so that an upgrade keeps it', async (t) => {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, '0.1.0', 'node'), { recursive: true });
  writeFileSync(join(folder, '0.1.0', 'node', 'node'), '');
  symlinkSync('0.1.0', join(folder, 'current'));
  const [, before = ''] = process.argv;
  const script = join(folder, 'current', 'bin', 'run.js');
  process.argv[1] = script;
  try {
    const unit = serviceUnit({ home: '/h', host: undefined, isOfMachine: false });
    t.true(unit.includes(`\nExecStart=${join(folder, 'current', 'node', 'node')} ${script} daemon\n`), unit);
  } finally {
    process.argv[1] = before;
  }
});

test('systemd finds nothing wrong with a unit', async (t) => {
  const file = join(await temporaryFolder(t), 'kashbox.service');
  for (const isOfMachine of [true, false]) {
    const home = await temporaryFolder(t);
    writeFileSync(file, serviceUnit({ home, host: '0.0.0.0', isOfMachine }));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    t.deepEqual({ status, stderr }, { status: 0, stderr: '' });
  }
});

test('a unit is never written over a file', async (t) => {
  const file = join(await temporaryFolder(t), 'units', 'kashbox.service');
  const service = { home: '/h', host: undefined, isOfMachine: false };
  writeUnit(file, service);
  t.is(readFileSync(file, 'utf8'), serviceUnit(service));
  const again = t.throws(() => writeUnit(file, { ...service, home: '/other' }));
  t.like(again, { code: 'already_exists' });
  t.is(readFileSync(file, 'utf8'), serviceUnit(service));
  t.like(
    t.throws(() => writeUnit(join(file, 'below'), service)),
    { code: 'state_refused' },
  );
});
