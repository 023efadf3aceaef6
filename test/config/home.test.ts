/** The home folder's key: made once, the same ever after, and told apart from a home that cannot be used. */
import { chmodSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { requireFolder } from '../../src/actions/core/require-home.js';
import { isKashboxError } from '../../src/base/errors/errors.js';
import { systemRandom } from '../../src/base/values/ids.js';
import { openHome, sealingKey } from '../../src/config/home.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

test('the key is made once, for its owner alone', async (t) => {
  const folder = await temporaryFolder(t);
  const key = sealingKey(folder, systemRandom);
  t.is(key.length, 32);
  t.deepEqual(sealingKey(folder, systemRandom), key);
  t.is(statSync(join(folder, 'secret.key')).mode & 0o777, 0o600);
});

test('a key file that cannot be read is the fault of the home folder, not an unexpected one', async (t) => {
  const folder = await temporaryFolder(t);
  mkdirSync(join(folder, 'secret.key'));
  const error = t.throws(() => sealingKey(folder, systemRandom));
  t.true(isKashboxError(error, 'store_unreachable'));
});

test('a home is made with the folders above it, for its owner alone', async (t) => {
  const folder = await temporaryFolder(t);
  const home = join(folder, 'a', 'b');
  t.is(openHome(home).storeFile, join(home, 'kashbox.db'));
  t.is(statSync(home).mode & 0o777, 0o700);
  t.notThrows(() => openHome(home));
});

test('rejects kashbox.json if it or its settings are not an object, instead of treating it as empty', async (t) => {
  const folder = await temporaryFolder(t);
  const refusal = (text: string) => {
    writeFileSync(join(folder, 'kashbox.json'), text);
    const error = t.throws(() => openHome(folder), undefined, text);
    t.true(isKashboxError(error, 'config_invalid'), text);
    return error?.message ?? '';
  };
  for (const text of ['[1,2]', '7', '"port"', 'null', 'true'])
    t.regex(refusal(text), /json is not an object$/);
  for (const text of ['{"settings":[1,2]}', '{"settings":"port"}', '{"settings":null}']) {
    t.regex(refusal(text), /^The settings in .*json are not an object$/);
  }
  t.regex(refusal('{'), /is not valid JSON$/);
  for (const text of ['{}', '{"settings":{"trustProxy":["127.0.0.1","10.0.0.1"],"port":1}}']) {
    writeFileSync(join(folder, 'kashbox.json'), text);
    t.notThrows(() => openHome(folder), text);
  }
  t.deepEqual(openHome(folder).settings, { trustProxy: '127.0.0.1,10.0.0.1', port: '1' });
});

test('a home whose folder cannot be created is reported at once', async (t) => {
  const folder = await temporaryFolder(t);
  writeFileSync(join(folder, 'file'), '');
  // In /proc every new name is answered "no such file", though the folder above it is there.
  for (const home of [join(folder, 'file'), join(folder, 'file', 'home'), '/proc/kashbox-home']) {
    const error = t.throws(() => openHome(home));
    t.true(isKashboxError(error, 'store_unreachable'), home);
  }
});

test('a file in the place of a home is named as one', async (t) => {
  const folder = await temporaryFolder(t);
  const file = join(folder, 'file');
  writeFileSync(file, '');
  t.is(t.throws(() => openHome(file))?.message, `${file} is a file, not a folder`);
  t.is(
    t.throws(() => openHome(join(file, 'home')))?.message,
    `There can be no folder ${join(file, 'home')}: ${file} is a file, not a folder`,
  );
});

const onlyRoot = process.getuid?.() === 0 ? test.serial : test.serial.skip;

onlyRoot('a home of another user is distinguished from a missing one, with the user to run as', async (t) => {
  const folder = await temporaryFolder(t);
  const home = join(folder, 'shop', 'home');
  mkdirSync(home, { recursive: true });
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'shop'), 0o700);
  for (const one of [join(folder, 'shop'), home, join(home, 'none')]) {
    for (const work of [openHome, requireFolder]) {
      const error = t.throws(() => asNobody(() => work(one)));
      t.true(isKashboxError(error, 'store_unreachable'));
      // The folder of all tests may be closed to that user too.
      const [, barred = ''] = /^You may not read (.+): it belongs to root$/.exec(error?.message ?? '') ?? [];
      t.true(barred !== '' && join(folder, 'shop').startsWith(barred), error?.message);
      t.true(isKashboxError(error) && error.hint.includes(`sudo -u root KASHBOX_HOME='${one}' kashbox`));
    }
  }
});

/** Nothing may await meanwhile: the whole process is that user. */
function asNobody(work: () => unknown): void {
  process.seteuid?.(65_534);
  try {
    work();
  } finally {
    process.seteuid?.(0);
  }
}
