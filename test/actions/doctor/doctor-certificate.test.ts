/** What the doctor says of the certificate is what the daemon makes of it when it starts. */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { Core } from '../../../src/actions/core/core.js';
import { checkCertificate } from '../../../src/actions/doctor/check-home.js';
import { loadCertificate } from '../../../src/actions/installation/certificate.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { inEnglish } from '../../helpers/in-english.js';
import { newTlsPair, tlsPair } from '../../helpers/network/tls-pair.js';
import { openShop } from '../../helpers/shop/shop.js';
import { openTestCore } from '../../helpers/stores/engines.js';

type Files = Readonly<Partial<Record<'cert.pem' | 'key.pem', string>>>;

/** A home with these files in its `tls`, or settings that name them where they are elsewhere. */
async function homeWith(
  t: ExecutionContext,
  files: Files,
  where: 'home' | 'elsewhere' = 'home',
): Promise<Core> {
  const core = await openTestCore(t, 'sqlite');
  const folder = where === 'home' ? core.home.tlsFolder : join(core.home.folder, 'elsewhere');
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text ?? '');
  if (where === 'home') return core;
  const settings = { tlsCert: join(folder, 'cert.pem'), tlsKey: join(folder, 'key.pem') };
  return { ...core, settings: { ...core.settings, ...settings } };
}

async function starts(core: Core): Promise<boolean> {
  try {
    await loadCertificate(core);
    return true;
  } catch (error) {
    if (isKashboxError(error, 'config_invalid')) return false;
    throw error;
  }
}

for (const where of ['home', 'elsewhere'] as const) {
  test(`with files in ${where}, doctor fails when the daemon cannot start, and names the file`, async (t) => {
    const [pair, other] = [await tlsPair(), await newTlsPair()];
    const cases: readonly (readonly [Files, RegExp])[] = [
      [{ 'key.pem': pair.key }, /cert\.pem does not exist, so the daemon does not start$/],
      [{ 'cert.pem': pair.cert }, /key\.pem does not exist, so the daemon does not start$/],
      [{ 'cert.pem': pair.cert, 'key.pem': other.key }, /key\.pem is not the key of .*cert\.pem$/],
      [{ 'cert.pem': 'x', 'key.pem': pair.key }, /cert\.pem is not a certificate$/],
      [{ 'cert.pem': pair.cert, 'key.pem': 'x' }, /key\.pem is not a readable key$/],
    ];
    for (const [files, message] of cases) {
      const core = await homeWith(t, files, where);
      const check = await inEnglish(checkCertificate(core));
      t.is(check.state, 'fail', check.message);
      t.regex(check.message, message);
      t.false(await starts(core), check.message);
    }
    const well = await homeWith(t, { 'cert.pem': pair.cert, 'key.pem': pair.key }, where);
    t.is((await inEnglish(checkCertificate(well))).state, 'ok');
    t.true(await starts(well));
  });
}

test('a key that the settings do not name is missed', async (t) => {
  const core = await homeWith(t, { 'cert.pem': (await tlsPair()).cert }, 'elsewhere');
  const half = { ...core, settings: { ...core.settings, tlsKey: '' } };
  t.regex(
    (await inEnglish(checkCertificate(half))).message,
    /^the settings name a certificate without its key$/,
  );
  t.false(await starts(half));
});

test('a missing certificate is ok before the first phone calls and a warning afterwards', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  t.is((await inEnglish(checkCertificate(core))).state, 'ok');
  await openShop(core);
  t.is((await inEnglish(checkCertificate(core))).state, 'ok', 'it has not called yet');
  await core.store.write((db) => db.query.updateTable('devices').set({ last_seen_at: 1 }).execute());
  const check = await inEnglish(checkCertificate(core));
  t.is(check.state, 'warn');
  t.regex(
    check.message,
    /1 phone has connected before: phones that pinned the old one do not accept a new one$/,
  );
  t.regex(check.remedy ?? '', /from a backup before/);
  await loadCertificate(core);
  t.is((await inEnglish(checkCertificate(core))).state, 'ok');
  rmSync(join(core.home.tlsFolder, 'cert.pem'));
  t.is((await inEnglish(checkCertificate(core))).state, 'fail');
});
