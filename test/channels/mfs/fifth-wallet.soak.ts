/**
 * A wallet is one file and one row: an invented fifth one is added to a copy of the sources by nothing else,
 * the copy is type-checked and built, and a payment is taken with what was built.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import test from 'ava';
import { openLog } from '../../../src/base/io/log.js';
import { SYNC } from '../../daemon/api.js';
import { openBrowser, PAGES, RETURN, stateOf } from '../../daemon/checkout/browser.js';
import { temporaryFolder, testClock } from '../../helpers/stores/engines.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const NUMBER = '01511000005';
const BODY =
  'Shapla: Tk 500.00 came from 01911000106. Balance Tk 700.00. TrxID 6HLSH00042 at 21/08/2026 12:34';
const STRANGERS_TEXT = 'Dear customer, your Shapla account is blocked, call 01811000107';

const DESCRIPTOR = `import { CASH_OUT, PAYMENT, SEND_MONEY, type Wallet } from './wallet.js';

export const SHAPLA: Wallet<'mfs_e'> = {
  channel: 'mfs_e',
  name: { en: 'Shapla', bn: 'শাপলা' },
  checkout: {
    mark: 'S',
    colour: '#33691e',
    shape: 'leaf',
    dialCode: '*255#',
    services: { payment: PAYMENT, personal: SEND_MONEY, agent: CASH_OUT },
    charges: {},
  },
  accountTypes: ['personal'],
  senders: { official: 'SHAPLA', weak: ['16255'], notices: [] },
  ids: {
    shape: /^[1-9A-Z][A-L][1-9A-V]SH\\d{5}$/,
    rule: { rule: 'dated', firstYear: 2020 },
    guessable: null,
    example: '6HLSH00001',
    name: 'TrxID',
  },
  texts: {
    formats: [
      {
        id: 'shapla-received',
        kind: 'received',
        settle: 'auto',
        texts: ['Shapla: {amount} came from {payer}. Balance {balance}. TrxID {id} at {date}[.]{tail}'],
        examples: [],
      },
    ],
    spellings: ['Shapla'],
  },
  additions: { names: ['shapla'], tails: [], links: [] },
  imitation: { marks: [/^shapla: /i, /came from/i], phishing: /\\bshapla\\b|শাপলা/i },
};
`;
const LAST_IMPORT = "import { UPAY } from './upay.js';";
const LAST_ROW = 'UPAY]';

/** @returns the folder of the built copy. @throws where another place must know the wallet, too. */
async function buildCopy(folder: string): Promise<string> {
  for (const name of ['src', 'daemon', 'commands', 'package.json', 'tsconfig.json']) {
    await cp(join(ROOT, name), join(folder, name), { recursive: true });
  }
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
  const wallets = join(folder, 'src', 'domain', 'wallets');
  await writeFile(join(wallets, 'shapla.ts'), DESCRIPTOR);
  const list = await readFile(join(wallets, 'index.ts'), 'utf8');
  const longer = list
    .replace(LAST_IMPORT, `import { SHAPLA } from './shapla.js';\n${LAST_IMPORT}`)
    .replace(LAST_ROW, 'UPAY, SHAPLA]');
  await writeFile(join(wallets, 'index.ts'), longer);
  const settings = { extends: './tsconfig.json', include: ['src', 'daemon', 'commands'] };
  await writeFile(join(folder, 'tsconfig.copy.json'), JSON.stringify(settings));
  const compiler = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const unused = ['--incremental', 'false', '--sourceMap', 'false'];
  const arguments_ = [compiler, '-p', 'tsconfig.copy.json', '--singleThreaded', ...unused];
  await promisify(execFile)(process.execPath, arguments_, { cwd: folder }).catch((error) => {
    throw new Error(`The copy with a fifth wallet does not compile:\n${error.stdout}`);
  });
  const page = join(folder, 'dist', 'daemon', 'checkout');
  for (const name of ['templates', 'style.css', join('client', 'main.js')]) {
    await mkdir(join(page, 'client'), { recursive: true });
    await cp(join(ROOT, 'dist', 'daemon', 'checkout', name), join(page, name), { recursive: true });
  }
  return join(folder, 'dist');
}

/** Modules of the copy, with the types that they have here. */
async function modulesOf(built: string) {
  const load = (path: string) => import(pathToFileURL(join(built, path)).href);
  const core: typeof import('../../../src/actions/core/core.js') = await load('src/actions/core/core.js');
  const merchants: typeof import('../../../src/actions/merchants/change-merchant.js') = await load(
    'src/actions/merchants/change-merchant.js',
  );
  const accounts: typeof import('../../../src/actions/accounts/set-account.js') = await load(
    'src/actions/accounts/set-account.js',
  );
  const devices: typeof import('../../../src/actions/devices/enroll-device.js') = await load(
    'src/actions/devices/enroll-device.js',
  );
  const brands: typeof import('../../../src/actions/brands/brand-context.js') = await load(
    'src/actions/brands/brand-context.js',
  );
  const sessions: typeof import('../../../src/actions/sessions/create-session.js') = await load(
    'src/actions/sessions/create-session.js',
  );
  const app: typeof import('../../../daemon/http/app.js') = await load('daemon/http/app.js');
  const sms: typeof import('../../../src/channels/mfs/index.js') = await load('src/channels/mfs/index.js');
  const texts: typeof import('../../../src/cli/text/explain-reading.js') = await load(
    'src/cli/text/explain-reading.js',
  );
  return { ...core, ...merchants, ...accounts, ...devices, ...brands, ...sessions, ...app, ...sms, ...texts };
}

test('an invented fifth wallet is one file and one row, from its SMS to the page that says it is paid', async (t) => {
  t.timeout(600_000);
  const kashbox = await modulesOf(await buildCopy(await temporaryFolder(t)));
  const who = 'test';
  const [name, brand] = ['Alo Store', 'Alo Store'];
  const clock = testClock();
  const core = await kashbox.openCore({ folder: await temporaryFolder(t), env: {}, clock });
  t.teardown(() => core.close());
  await kashbox.createMerchant(core, { name, allowIps: [], who });
  const account = { brand, channel: 'mfs_e', number: NUMBER, who };
  await t.throwsAsync(kashbox.setAccount(core, { ...account, type: 'agent' }), {
    message: 'type "agent" does not exist on mfs_e',
  });
  await kashbox.setAccount(core, { ...account, type: 'personal' });
  const phone = await kashbox.enrollDevice(core, {
    merchant: name,
    name: 'counter',
    sims: [`1=${NUMBER}`],
    who,
  });
  const session = await kashbox.createSession(core, {
    brand: await kashbox.brandContext(core, brand),
    hosted: RETURN,
    cusName: 'Customer',
    cusEmail: '',
    amountPaisa: 50_000,
    metaJson: null,
  });

  const app = await kashbox.buildApp(core, { log: openLog('info', { write: () => true }).log });
  t.teardown(() => app.close());
  const browser = openBrowser(app);
  const page = `${core.settings.basePath}${PAGES}/${session.id}`;
  const { body: bangla } = await browser.visit(page);
  const { body: english } = await browser.visit(`${page}?lang=en`);
  for (const part of ['শাপলা', '*255#', NUMBER, '6HLSH00001']) t.true(bangla.includes(part), part);
  for (const part of ['Shapla', 'Send Money', '.mfs_e .mark{background:#33691e']) {
    t.true(english.includes(part), part);
  }

  const message = { id: '1', sender: 'SHAPLA', body: BODY, received_at: '2026-08-21T12:34:30+06:00' };
  const synced = await app.inject({
    method: 'POST',
    url: SYNC,
    headers: { 'device-key': phone.device_key },
    payload: { messages: [{ ...message, sim_slot: 1 }] },
  });
  t.is(synced.statusCode, 200, synced.body);
  await browser.submit(page, 'claim', { method: 'mfs_e', transaction_id: BODY });
  const paid = await browser.visit(page);
  t.is(stateOf(paid), 'completed');

  const engine = kashbox.createSmsEngine();
  const read = (sender: string, body: string) =>
    kashbox.parseSms(engine, { sender, body, receivedAtMs: clock.now() });
  t.like(read('SHAPLA', BODY), { channel: 'mfs_e', settle: 'auto', amountPaisa: 50_000 });
  t.is(kashbox.explainReading(read('SHAPLA', BODY))[0]?.split(':')[0], 'Shapla (mfs_e)');
  t.like(read('16255', BODY), { channel: 'mfs_e', settle: 'review', reasons: ['sender_weak'] });
  t.like(read('SHAPLA', BODY.replace('6HLSH', '6HKSH')), { settle: 'review', reasons: ['id_date'] });
  for (const text of [BODY, STRANGERS_TEXT]) {
    t.like(read('01811000107', text), { channel: 'mfs_e', kind: 'spoofed', settle: 'never' });
  }
});
