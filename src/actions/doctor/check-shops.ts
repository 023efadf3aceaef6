/**
 * Merchants, their phones, accounts and brands: whether incoming money can be seen and is one merchant's, and
 * whether shops are answered and notified as their programs expect.
 */
import { isKashboxError } from '../../base/errors/errors.js';
import { dhakaText } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { msg, type Text } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import { ID_KNOWN_FOR_MS, isExpectedAhead } from '../../channels/mfs/index.js';
import { beginsAsCode, parsePayload } from '../../channels/qr-interbank/emv.js';
import { parseAccountDetails } from '../../domain/accounts/account-details.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { nearlyUsedLimits } from '../../domain/accounts/choose-account.js';
import { bindingText, findPlugin, isRisky } from '../../domain/plugins/plugins.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { type ListedAccount, listedAccounts } from '../../store/tables/accounts.js';
import { listedBrands } from '../../store/tables/brands.js';
import { allMerchants } from '../../store/tables/merchants.js';
import { simlessSms } from '../../store/tables/sms.js';
import { listedWalletIds } from '../../store/tables/wallet-ids.js';
import { callerAdvice } from '../access/authenticate-brand.js';
import { incomeOf } from '../accounts/number-use.js';
import { validSecrets } from '../brands/webhook-secrets.js';
import type { Core } from '../core/core.js';
import { type DeviceView, listDevices } from '../devices/device-view.js';
import { type Finding, fail, ok, warn } from './check.js';

export async function checkShops(core: Core): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const check of [
    checkMerchants,
    checkNumbers,
    checkIdRanges,
    checkTenants,
    checkPrograms,
    checkSecrets,
  ]) {
    findings.push(...(await check(core)));
  }
  return findings;
}

async function checkMerchants(core: Core): Promise<Finding[]> {
  const merchants = await core.store.read(allMerchants);
  if (merchants.length === 0) {
    return [warn('merchants', msg`none yet`, msg`Create the first one: kashbox setup`)];
  }
  const suspended = merchants.filter((merchant) => merchant.status === 'SUSPENDED');
  const message = msg`${merchants.length}, ${suspended.length} of them suspended`;
  const devices = (await listDevices(core, {})).filter((device) => device.state !== 'REVOKED');
  // Test brands need no phone, and nobody can pay them.
  const accounts = (await core.store.read((db) => listedAccounts(db, null, false))).filter(
    ({ test_of }) => test_of === null,
  );
  const simless = await core.store.read((db) => simlessSms(db, core.clock.now() - RECENT_MS));
  return [
    suspended.length < merchants.length
      ? ok('merchants', message)
      : warn(
          'merchants',
          msg`all are suspended (${merchants.length}), so no shop takes payments`,
          msg`Reactivate one: kashbox merchants activate NAME`,
        ),
    ...phoneChecks(devices, accounts),
    ...simless.map(simlessCheck),
    ...accountChecks(accounts, devices),
    ...codeChecks(accounts),
  ];
}

const RECENT_MS = 24 * 3_600_000;

/** True if SMS confirm the account's payments, and not a person, a bank, a chain or an exchange. */
const isWallet = (account: ListedAccount) => CHANNEL[account.channel].kind === 'sms';

function phoneChecks(devices: readonly DeviceView[], accounts: readonly ListedAccount[]): Finding[] {
  if (devices.length === 0) {
    if (accounts.length > 0 && !accounts.some(isWallet)) return [];
    return [warn('phones', msg`none, so no SMS can arrive`, msg`Add one: kashbox devices enroll`)];
  }
  return devices.map((device) => {
    const name = `phone ${device.name}`;
    const seen = device.last_seen_at === null ? msg`never seen` : msg`last seen ${device.last_active} ago`;
    switch (device.state) {
      case 'ONLINE':
        if (device.problem !== null) {
          return warn(
            name,
            msg`online, but reports: ${device.problem}`,
            device.agent === 'forwarder'
              ? msg`Correct the template of the app: docs/forwarders.md.`
              : msg`Run \`kashbox-relay doctor\` on it.`,
          );
        }
        return device.queued !== null && device.queued > 0
          ? warn(
              name,
              msg`online, ${device.queued} SMS wait to be synced`,
              msg`Check its network connection, then run doctor again.`,
            )
          : device.agent === 'simulator'
            ? warn(
                name,
                msg`simulator: it sends no real SMS`,
                msg`Pair a real phone under that name: kashbox devices rotate.`,
              )
            : ok(name, msg`online`);
      case 'STALE':
      case 'OFFLINE':
      case 'REVOKED':
        return warn(
          name,
          device.problem === null ? seen : msg`${seen}, last reported: ${device.problem}`,
          msg`Check the phone: power, network, battery saver off, relay app running.`,
        );
      default:
        return device.state satisfies never;
    }
  });
}

function simlessCheck({ device, count }: Awaited<ReturnType<typeof simlessSms>>[number]): Finding {
  const what = msg`${count} SMS of the last 24 hours do not name their SIM: their payments need manual review`;
  const remedy = msg`In Termux: \`kashbox-relay doctor\` on the phone shows how to name its SIMs. Other programs: send sim_slot.`;
  return warn(`SIMs of ${device}`, what, remedy);
}

function accountChecks(accounts: readonly ListedAccount[], devices: readonly DeviceView[]): Finding[] {
  if (accounts.length === 0) {
    return [
      warn('accounts', msg`none, so no customer can pay`, msg`Add the first one: kashbox accounts set`),
    ];
  }
  const watched = new Set(
    devices.flatMap((device) => device.sims.map((sim) => `${device.merchant_id} ${sim.number}`)),
  );
  const wallets = accounts.filter(isWallet);
  const unseen = wallets.filter((account) => !watched.has(`${account.merchant_id} ${account.number}`));
  if (unseen.length === 0) {
    const others = accounts.length - wallets.length;
    const checked = msg`${wallets.length} wallet accounts, each with its SIM in a phone; ${others} others`;
    return [ok('accounts', checked)];
  }
  return unseen.map((account) =>
    warn(
      `account ${account.number}`,
      msg`${account.brand} receives money there, but no phone has that SIM`,
      msg`Enroll the phone with --sim 1=${account.number}, or disable the account.`,
    ),
  );
}

/** @returns a finding for each number that has used most of a limit; a number of several brands has one. */
async function checkNumbers(core: Core): Promise<Finding[]> {
  const accounts = (await core.store.read((db) => listedAccounts(db, null, false))).filter(
    (account) => (account.day_limit_paisa ?? account.month_limit_paisa) !== null,
  );
  const findings = new Map<string, Finding>();
  for (const { brand, merchant_id: merchant, channel, number, ...limits } of accounts) {
    const wallet = { merchant, channel, number };
    const income = await core.store.read((db) => incomeOf(db, wallet, core.clock.now()));
    const { day_limit_paisa: dayLimitPaisa, month_limit_paisa: monthLimitPaisa } = limits;
    const [used] = nearlyUsedLimits({ dayLimitPaisa, monthLimitPaisa, ...income });
    if (used === undefined) continue;
    const [came, limit] = [formatTaka(used.usedPaisa), formatTaka(used.limitPaisa)];
    const message =
      used.period === 'day'
        ? msg`it received ${came} BDT today, and its limit is ${limit}`
        : msg`it received ${came} BDT this month, and its limit is ${limit}`;
    const remedy = msg`Set up a further number for ${brand}: kashbox accounts set --add`;
    findings.set(`${merchant} ${channel} ${number}`, warn(`limit of ${number}`, message, remedy));
  }
  return [...findings.values()];
}

/** @returns stored QR codes that cannot be used: an older version may have had other rules. */
function codeChecks(accounts: readonly ListedAccount[]): Finding[] {
  return accounts.flatMap(({ id, brand, channel, type, number, details }) => {
    const { qr = '' } = parseAccountDetails(details);
    const { kind } = CHANNEL[channel];
    // Other codes of wallets are shown as they are.
    if (kind !== 'push' && !(kind === 'sms' && type === 'personal' && beginsAsCode(qr))) return [];
    const read = parsePayload(qr);
    if (read.ok) return [];
    return [
      warn(
        `QR code of ${number}`,
        msg`${brand} cannot use it: ${read.faults.join('. ')}`,
        msg`Set it again: kashbox accounts set --qr-image FILE, or disable the account: kashbox accounts disable ${id}`,
      ),
    ];
  });
}

/** @returns an empty list if there is no conflict. */
export async function checkTenants(core: Core): Promise<Finding[]> {
  const { accounts, names } = await core.store.read(async (db) => ({
    // A bank account is looked at by people alone.
    accounts: (await listedAccounts(db, null, false)).filter(
      ({ channel, test_of }) => CHANNEL[channel].kind !== 'manual' && test_of === null,
    ),
    names: new Map((await allMerchants(db)).map(({ id, name }) => [id, name])),
  }));
  const claimed = new Map<string, typeof accounts>();
  for (const account of accounts) {
    const place = `${account.channel} ${account.number}`;
    claimed.set(place, [...(claimed.get(place) ?? []), account]);
  }
  return [...claimed.values()].flatMap((same) => {
    const [first] = same;
    const merchants = [...new Set(same.map(({ merchant_id }) => merchant_id))];
    if (first === undefined || merchants.length < 2) return [];
    const who = merchants.map((id) => names.get(id) ?? id).join(' and ');
    const ids = same.map(({ id }) => id).join(' or ');
    return [
      fail(
        `account ${first.number}`,
        msg`${who} share this number on ${first.channel}: payments that both claim need manual review`,
        msg`Disable the wrong one: kashbox accounts disable ${ids}`,
      ),
    ];
  });
}

/** Duration before the end of an id range at which the doctor warns, so that there is time to update. */
const AHEAD_MS = 60 * 86_400_000;

async function checkIdRanges(core: Core): Promise<Finding[]> {
  const counting = WALLETS.filter(({ ids }) => ids.guessable?.kind === 'counter');
  const since = core.clock.now() - ID_KNOWN_FOR_MS;
  const known = await core.store.read((db) => listedWalletIds(db, since));
  const findings: Finding[] = [];
  for (const { channel, name } of counting) {
    const newest = known.filter((row) => row.channel === channel).at(-1);
    if (newest === undefined) continue;
    const { id, at: atMs } = newest;
    if (isExpectedAhead(channel, { id, atMs }, AHEAD_MS)) continue;
    findings.push(
      warn(
        `ids of ${name.en}`,
        msg`${name.en} reached ${id} on ${dhakaText(atMs).slice(0, 10)}; within 60 days its ids leave the known range`,
        msg`Update Kashbox before then. Otherwise SMS need manual review until you approve the first: kashbox verifications list`,
      ),
    );
  }
  return findings;
}

/** @returns an empty list if there is no problem: most brands are called by a program of their own. */
async function checkPrograms(core: Core): Promise<Finding[]> {
  const brands = await core.store.read((db) => listedBrands(db, null));
  return brands.flatMap((brand) => {
    const name = `brand ${brand.name}`;
    const advice = callerAdvice(brand.name, brand);
    if (advice !== null) return [warn(name, advice.message, advice.remedy)];
    if (!isRisky(brand.dialect, brand.webhook_format)) return boundBy(name, brand.plugin);
    const message = msg`it receives form webhooks, but verify answers in the standard dialect: some PHP programs then treat unpaid orders as paid`;
    const remedy = msg`Use the flat dialect, or name its program with --plugin: kashbox brands update ${quoted(brand.name)} --dialect flat`;
    return [warn(name, message, remedy)];
  });
}

/** Reports how a payment is bound to its order if the brand's program does not check that itself. */
function boundBy(name: string, program: string | null): Finding[] {
  const plugin = findPlugin(program);
  if (plugin === null || plugin.binds === 'program') return [];
  return [ok(name, `its program is ${program}. ${bindingText(plugin)} See docs/plugins.md`)];
}

/** Brands that are named; of more the reader has understood. */
const MAX_NAMED = 5;

/** @returns an empty list if all secrets can be opened, as in most installations. */
async function checkSecrets(core: Core): Promise<Finding[]> {
  const now = core.clock.now();
  const brands = await core.store.read((db) => listedBrands(db, null));
  const shut = brands.filter((brand) => {
    try {
      validSecrets(core, { ...brand, brand_id: brand.id }, now);
      return false;
    } catch (error) {
      if (isKashboxError(error)) return true;
      throw error;
    }
  });
  if (shut.length === 0) return [];
  const named = shut.slice(0, MAX_NAMED).map(({ name }) => name);
  const more: Text = shut.length > MAX_NAMED ? msg` and ${shut.length - MAX_NAMED} more` : '';
  return [
    fail(
      'webhook secrets',
      msg`secret.key cannot decrypt those of ${named.join(', ')}${more}, so these shops are not notified`,
      msg`Restore the secret.key of this store from a backup; otherwise create new secrets: kashbox webhooks rotate.`,
    ),
  ];
}
