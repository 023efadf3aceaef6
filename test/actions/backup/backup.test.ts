/** A backup of either engine, restored into either: the very same rows, files and secrets. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import test from 'ava';
import { lastBackup } from '../../../src/actions/backup/last-backup.js';
import { makeBackup } from '../../../src/actions/backup/make-backup.js';
import { checkBackup, restoreBackup } from '../../../src/actions/backup/restore-backup.js';
import { secretsOfBrand } from '../../../src/actions/brands/webhook-secrets.js';
import { openCore } from '../../../src/actions/core/core.js';
import { loadCertificate } from '../../../src/actions/installation/certificate.js';
import { parseChainHead } from '../../../src/domain/audit-chain/chain.js';
import { SHOP_NAME } from '../../helpers/shop/busy-shop.js';
import { bkashId, bkashText } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';
import { brokenRules } from '../../helpers/stores/ledger-audit.js';
import { extend, verify } from '../audit/ground.js';
import { allRows, backupOf, busyCore, NOW, openRestored, QUIET, restoreOrder } from './ground.js';

/** Rows that say when the backup itself was made come after it. */
const withoutRecord = ({ installation, ...rest }: Awaited<ReturnType<typeof allRows>>) => rest;

for (const engine of engines) {
  for (const target of engines) {
    test(`a backup from ${engine} is restored into ${target}: rows, files, secrets, certificate`, async (t) => {
      const { core } = await busyCore(t, engine);
      await extend(core);
      const made = await backupOf(t, core);
      const order = await restoreOrder(t, made.file, target);
      await restoreBackup(order);

      const restored = await openRestored(t, order);
      t.deepEqual(withoutRecord(await allRows(restored)), withoutRecord(await allRows(core.store)));
      if (target === 'sqlite') {
        t.deepEqual(
          brokenRules(join(order.folder, 'kashbox.db')).filter((rule) => !/SMS/.test(rule)),
          [],
        );
      }
      t.is(existsSync(join(order.folder, 'kashbox.db')), target === 'sqlite');
      for (const name of made.files) {
        t.deepEqual(readFileSync(join(order.folder, name)), readFileSync(join(core.home.folder, name)), name);
      }
      t.deepEqual(readdirSync(join(order.folder, 'formats')), ['কাগজ.json']);
      const env: Record<string, string> =
        order.databaseUrl === null ? {} : { KASHBOX_DATABASE_URL: order.databaseUrl };
      const again = await openCore({ folder: order.folder, env });
      t.teardown(() => again.close());
      t.is(again.settings.sessionMinutes, 44);
      t.is(again.keyProblem, null);
      const secrets = (of: typeof core) => secretsOfBrand(of, SHOP_NAME, NOW);
      t.deepEqual(await secrets(again), await secrets(core));
      t.is((await loadCertificate(again)).fingerprint, (await loadCertificate(core)).fingerprint);
      const expected = parseChainHead(made.chain_head ?? '');
      t.true((expected?.number ?? 0) > 0);
      t.like(await verify(again, { expected }), { ok: true, pending: 0, head: expected });
    });
  }

  test(`on ${engine}, a backup is whole while SMS and payments come in, and is of one moment`, async (t) => {
    const { core, shop } = await busyCore(t, engine);
    let isOver = false;
    let taken = 0;
    const writer = (async () => {
      for (; !isOver; taken += 1) {
        const at = core.clock.now();
        await shop.order(50_000);
        await shop.receive(bkashText({ taka: '500.00', trxId: bkashId(at, 50_000 + taken), at }));
      }
    })();
    const made = await backupOf(t, core).finally(() => {
      isOver = true;
    });
    await writer;
    t.true(taken > 0);
    const order = await restoreOrder(t, made.file, 'sqlite');
    await restoreBackup(order);
    t.deepEqual(
      brokenRules(join(order.folder, 'kashbox.db')).filter((rule) => !/^SMS|its SMS/.test(rule)),
      [],
    );
    const { sessions = [] } = await allRows(await openRestored(t, order));
    t.is(sessions.length, made.payments);
    const { sessions: all = [] } = await allRows(core.store);
    t.true(sessions.every((row) => all.includes(row)));
  });

  test(`on ${engine}, a backup lists its content, is private, and leaves no other file`, async (t) => {
    const { core } = await busyCore(t, engine);
    const made = await backupOf(t, core);
    const shown = await checkBackup(made.file, { ...QUIET, passphrase: null });
    const { sessions = [], merchants = [], devices = [] } = await allRows(core.store);
    const { engine: from, payments, merchants: owners, phones, made_at, files } = shown;
    t.deepEqual(
      [from, payments, owners, phones],
      [engine, sessions.length, merchants.length, devices.length],
    );
    t.deepEqual(files, ['secret.key', 'kashbox.json', 'tls/cert.pem', 'tls/key.pem', 'formats/কাগজ.json']);
    t.is(Date.parse(made_at), core.clock.now() - (core.clock.now() % 1_000));
    t.deepEqual(made.notes, []);
    t.is(statSync(made.file).mode & 0o777, 0o600);
    t.is(statSync(made.file).size, made.bytes);
    t.deepEqual(readdirSync(dirname(made.file)), [basename(made.file)]);
    t.deepEqual(await lastBackup(core), { at: core.clock.now(), file: made.file });
  });

  test(`on ${engine}, a backup that is stopped leaves nothing behind, and the last one stays the last`, async (t) => {
    const { core } = await busyCore(t, engine);
    const made = await backupOf(t, core);
    const before = readFileSync(made.file);
    const stopping = new AbortController();
    const order = { file: made.file, passphrase: null, isOverwriting: true, signal: stopping.signal };
    const onBytes = () => stopping.abort(new Error('stopped'));
    await t.throwsAsync(makeBackup(core, { ...order, onBytes }), { message: 'stopped' });
    t.deepEqual(readdirSync(dirname(made.file)), [basename(made.file)]);
    t.deepEqual(readFileSync(made.file), before);
    t.is((await lastBackup(core))?.at, core.clock.now());
  });
}
