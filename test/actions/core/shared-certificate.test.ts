/** One certificate for all daemons on a PostgreSQL: a phone that has pinned it may call any of them. */
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { checkCertificate } from '../../../src/actions/doctor/check-home.js';
import { acceptKey } from '../../../src/actions/installation/accept-key.js';
import { loadCertificate } from '../../../src/actions/installation/certificate.js';
import { installationFact } from '../../../src/store/tables/installation.js';
import { inEnglish } from '../../helpers/in-english.js';
import { newTlsPair } from '../../helpers/network/tls-pair.js';
import { openTestCore, temporaryFolder, testClock } from '../../helpers/stores/engines.js';
import { databaseWithTables } from '../../helpers/stores/postgres.js';

/** @returns what opens a core of another machine on the same database, with the same key. */
async function machines(t: ExecutionContext) {
  const url = await databaseWithTables(t);
  const clock = testClock(Date.UTC(2026, 10, 25));
  let keyFile: string | undefined;
  const open = async (): Promise<Core> => {
    const folder = await temporaryFolder(t);
    if (keyFile !== undefined) copyFileSync(keyFile, join(folder, 'secret.key'));
    const core = await openCore({ folder, clock, env: { KASHBOX_DATABASE_URL: url } });
    keyFile ??= join(folder, 'secret.key');
    t.teardown(() => core.close());
    return core;
  };
  return { open, clock };
}

const fingerprint = async (core: Core) => (await loadCertificate(core)).fingerprint;

test('machines that start at the same time, later, or without their folder all have one certificate', async (t) => {
  const { open } = await machines(t);
  const [first, second] = [await open(), await open()];
  const [one, other] = await Promise.all([fingerprint(first), fingerprint(second)]);
  t.is(one, other);
  t.is(await fingerprint(await open()), one);
  renameSync(first.home.tlsFolder, `${first.home.tlsFolder}.old`);
  t.is((await inEnglish(checkCertificate(first))).state, 'ok');
  t.is(await fingerprint(first), one);
  t.false((await loadCertificate(first)).isAlone);
});

test('the store keeps the key sealed', async (t) => {
  const { open } = await machines(t);
  const core = await open();
  const { key } = await loadCertificate(core);
  const kept = await core.store.read((db) => installationFact(db, 'certificate'));
  t.regex(kept ?? '', /^v1\./);
  t.false(Buffer.from(kept?.slice(3) ?? '', 'base64').includes(key.split('\n')[1] ?? key));
});

test('a machine that has one of its own keeps it, and doctor says how it comes to the shared one', async (t) => {
  const { open } = await machines(t);
  const shared = await fingerprint(await open());
  const core = await open();
  const { cert, key } = await newTlsPair();
  mkdirSync(core.home.tlsFolder);
  writeFileSync(join(core.home.tlsFolder, 'cert.pem'), cert);
  writeFileSync(join(core.home.tlsFolder, 'key.pem'), key);
  const own = await loadCertificate(core);
  t.not(own.fingerprint, shared);
  t.true(own.isAlone);
  const finding = await inEnglish(checkCertificate(core));
  t.is(finding.state, 'warn');
  t.regex(finding.message, /cannot connect to another daemon$/);
  const [, from = '', to = ''] = /mv (\S+) (\S+), start/.exec(finding.remedy ?? '') ?? [];
  renameSync(from, to);
  t.is(await fingerprint(core), shared);
  t.is((await inEnglish(checkCertificate(core))).state, 'ok');
});

const ELEVEN_YEARS_MS = 11 * 365 * 86_400_000;

test('one that has run out, or was sealed under a key that is lost, is replaced once for all', async (t) => {
  const { open, clock } = await machines(t);
  const [first, second] = [await open(), await open()];
  const old = await fingerprint(first);
  t.is(await fingerprint(second), old);
  clock.advance(ELEVEN_YEARS_MS);
  const renewed = await Promise.all([fingerprint(first), fingerprint(second)]);
  t.not(renewed[0], old);
  t.is(renewed[0], renewed[1]);
  t.is(await fingerprint(await open()), renewed[0]);

  const folder = await temporaryFolder(t);
  const env = { KASHBOX_DATABASE_URL: first.settings.databaseUrl };
  const lost = await openCore({ folder, clock, env });
  await acceptKey(lost, { who: 'test' });
  await lost.close();
  const accepted = await openCore({ folder, clock, env });
  t.teardown(() => accepted.close());
  const afterwards = await fingerprint(accepted);
  t.not(afterwards, renewed[0]);
  t.false((await loadCertificate(accepted)).isAlone);
});

test('SQLite stores no copy, as the folder is next to it', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await loadCertificate(core);
  t.is(await core.store.read((db) => installationFact(db, 'certificate')), undefined);
});
