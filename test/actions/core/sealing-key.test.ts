/** Key file and store belong together: no other key is taken for the store's, and none is made in silence. */
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { createBrand } from '../../../src/actions/brands/change-brand.js';
import { rotateWebhookSecret, secretsOfBrand } from '../../../src/actions/brands/webhook-secrets.js';
import { type Core, openCore } from '../../../src/actions/core/core.js';
import { acceptKey } from '../../../src/actions/installation/accept-key.js';
import { listMerchants } from '../../../src/actions/merchants/merchant-view.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openShop } from '../../helpers/shop/shop.js';
import { engines, temporaryFolder } from '../../helpers/stores/engines.js';
import { freshDatabase } from '../../helpers/stores/postgres.js';

const who = 'cli:tester';
const OTHER_KEY = `${'ab'.repeat(32)}\n`;

/** An installation that is opened and closed again and again, as by commands. */
async function installation(t: ExecutionContext, engine: Engine) {
  const folder = await temporaryFolder(t);
  const env = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await freshDatabase(t) } : {};
  const opened = async <T>(work: (core: Core) => Promise<T>, home = folder): Promise<T> => {
    const core = await openCore({ folder: home, env });
    return work(core).finally(() => core.close());
  };
  const key = join(folder, 'secret.key');
  /** As a store was left by a Kashbox that kept no fingerprint. */
  const forget = () =>
    opened((core) => core.store.write((db) => db.query.deleteFrom('installation').execute()));
  return { folder, key, opened, forget };
}

const problem = async (core: Core) => core.keyProblem?.message ?? null;
const canSeal = async (core: Core) => core.secrets.open(core.secrets.seal('x', 'y'), 'y') === 'x';
const secretOf = async (core: Core, brand: string) => (await secretsOfBrand(core, brand, 0))[0] ?? '';

for (const engine of engines) {
  test(`on ${engine}, the key created first becomes the key of the store`, async (t) => {
    const { opened, key } = await installation(t, engine);
    await opened(openShop);
    const made = readFileSync(key, 'utf8');
    t.is(await opened(problem), null);
    t.true(await opened(canSeal));
    t.is(readFileSync(key, 'utf8'), made);
  });

  test(`on ${engine}, a missing key is not recreated, and actions that need no secret work`, async (t) => {
    const { opened, key } = await installation(t, engine);
    await opened(openShop);
    rmSync(key);
    const told = (await opened(problem)) ?? '';
    t.regex(
      told,
      /secret\.key is missing, and secrets of this store \(fingerprint [0-9a-f]{16}\) are encrypted with it$/,
    );
    t.is((await opened(listMerchants)).length, 1);
    const create = (core: Core) => createBrand(core, { merchant: 'Alo Store', name: 'Second', who });
    await t.throwsAsync(opened(create), { message: told });
    t.false(existsSync(key));
  });

  test(`on ${engine}, the key of another store is refused with both fingerprints`, async (t) => {
    const { opened, key } = await installation(t, engine);
    await opened(openShop);
    writeFileSync(key, OTHER_KEY);
    const told = (await opened(problem)) ?? '';
    const named =
      /\(fingerprint ([0-9a-f]{16})\) is not the key of this store: it belongs to the key ([0-9a-f]{16})$/;
    const [, own, owner] = named.exec(told) ?? [];
    t.true(own !== undefined && own !== owner, told);
    t.false('ab'.repeat(8) === own, 'it is not a part of the key');
    await t.throwsAsync(
      opened((core) => secretOf(core, 'Alo Store')),
      { message: told },
    );
    t.is(readFileSync(key, 'utf8'), OTHER_KEY);
  });

  test(`on ${engine}, a store of an older Kashbox takes the key that opens its secrets, and no other`, async (t) => {
    const { opened, key, forget } = await installation(t, engine);
    await opened(openShop);
    const right = readFileSync(key, 'utf8');
    await forget();
    writeFileSync(key, OTHER_KEY);
    t.regex(
      (await opened(problem)) ?? '',
      /is not the key of this store: it cannot decrypt any secret in it$/,
    );
    rmSync(key);
    t.regex(
      (await opened(problem)) ?? '',
      /secret\.key is missing, and secrets of this store are encrypted with it$/,
    );
    t.false(existsSync(key));
    writeFileSync(key, right);
    t.is(await opened(problem), null);
    writeFileSync(key, OTHER_KEY);
    t.regex((await opened(problem)) ?? '', /it belongs to the key [0-9a-f]{16}$/, 'from then on it is known');
  });

  test(`on ${engine}, a store of an older Kashbox in which nothing is sealed takes any key`, async (t) => {
    const { opened, key, forget } = await installation(t, engine);
    await opened(problem);
    await forget();
    rmSync(key);
    t.is(await opened(problem), null);
    t.true(existsSync(key));
  });

  test(`on ${engine}, a key that was replaced before fingerprints were kept is the key, if it opens anything`, async (t) => {
    const { opened, key, forget } = await installation(t, engine);
    await opened(openShop);
    await opened((core) => openShop(core, 'Badol', '01711000002'));
    writeFileSync(key, OTHER_KEY);
    await opened((core) => acceptKey(core, { who }));
    await opened((core) => rotateWebhookSecret(core, { brand: 'Badol', overlapMs: 0, who }));
    await forget();
    t.is(await opened(problem), null);
    t.true((await opened((core) => secretOf(core, 'Badol'))).startsWith('whsec_'));
  });

  test(`on ${engine}, another key that is accepted is the key; what it does not open is named; and back`, async (t) => {
    const { opened, key, folder } = await installation(t, engine);
    await opened(openShop);
    const secret = await opened((core) => secretOf(core, 'Alo Store'));
    renameSync(key, join(folder, 'old.key'));
    const accepted = await opened((core) => acceptKey(core, { who }));
    t.deepEqual(
      accepted.shut.map(({ kind, name }) => `${kind} ${name}`),
      ['webhook Alo Store', 'pairing Alo Store phone'],
    );
    t.true(existsSync(key));
    t.is(await opened(problem), null);
    await opened((core) => rotateWebhookSecret(core, { brand: 'Alo Store', overlapMs: 0, who }));
    const again = await opened((core) => acceptKey(core, { who }));
    t.deepEqual([again.before, again.shut.length], [accepted.fingerprint, 1]);
    renameSync(join(folder, 'old.key'), key);
    const back = await opened((core) => acceptKey(core, { who }));
    t.deepEqual([back.fingerprint, back.before], [accepted.before, accepted.fingerprint]);
    t.not(await opened((core) => secretOf(core, 'Alo Store').catch(() => 'shut')), secret);
    const audit = await opened((core) =>
      core.store.read((db) =>
        db.query.selectFrom('audit').where('action', '=', 'secret_key.accept').select('after').execute(),
      ),
    );
    t.is(audit.length, 2);
  });
}

test('a second machine with a key of its own on one PostgreSQL is refused, and leaves the store as it is', async (t) => {
  const { opened } = await installation(t, 'postgres');
  await opened(openShop);
  const other = await temporaryFolder(t);
  writeFileSync(join(other, 'secret.key'), OTHER_KEY);
  t.regex((await opened(problem, other)) ?? '', /is not the key of this store/);
  const none = await temporaryFolder(t);
  t.regex((await opened(problem, none)) ?? '', /secret\.key is missing/);
  t.is(await opened(problem), null);
});
