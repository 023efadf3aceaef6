/**
 * Checks whether incoming money can be seen: phones are online, and every wallet account has a phone's SIM.
 */
import { say } from '../../base/values/say.js';
import { CHANNEL } from '../../domain/accounts/channels.js';
import { listedAccounts } from '../../store/tables/accounts.js';
import { allMerchants } from '../../store/tables/merchants.js';
import { simlessSms } from '../../store/tables/sms.js';
import type { Core } from '../core/core.js';
import type { DeviceView } from '../devices/device-view.js';
import { listDevices } from '../devices/device-view.js';
import { type Finding, ok, warn } from './check.js';

export async function checkShops(core: Core): Promise<Finding[]> {
  const merchants = await core.store.read(allMerchants);
  if (merchants.length === 0) {
    return [warn('merchants', say`there are none yet`, say`Open the first one: kashbox setup`)];
  }
  const suspended = merchants.filter((merchant) => merchant.status === 'SUSPENDED');
  const message = say`${merchants.length}, of them ${suspended.length} suspended`;
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
          say`all are suspended (${merchants.length}), so no shop takes payments`,
          say`Let one take payments again: kashbox merchants activate NAME`,
        ),
    ...phoneChecks(devices, accounts),
    ...simless.map(simlessCheck),
    ...accountChecks(accounts, devices),
  ];
}

const RECENT_MS = 24 * 3_600_000;

type Account = Awaited<ReturnType<typeof listedAccounts>>[number];

/** Money on other accounts is confirmed by a person, a bank, a chain or an exchange, and not by an SMS. */
const isWallet = (account: Account) => CHANNEL[account.channel].kind === 'sms';

function phoneChecks(devices: readonly DeviceView[], accounts: readonly Account[]): Finding[] {
  if (devices.length === 0) {
    if (accounts.length > 0 && !accounts.some(isWallet)) return [];
    return [
      warn('phones', say`there are none, so no SMS can arrive`, say`Make one known: kashbox devices enroll`),
    ];
  }
  return devices.map((device) => {
    const name = `phone ${device.name}`;
    const seen =
      device.last_seen_at === null ? say`it has never been seen` : say`last seen ${device.last_active} ago`;
    switch (device.state) {
      case 'ONLINE':
        if (device.trouble !== null) {
          return warn(
            name,
            say`online, but it says: ${device.trouble}`,
            device.agent === 'forwarder'
              ? say`Correct the template of the app: docs/forwarders.md.`
              : say`Run \`kashbox-relay doctor\` on it.`,
          );
        }
        return device.queued !== null && device.queued > 0
          ? warn(
              name,
              say`online, ${device.queued} SMS wait on it`,
              say`Give it a better network, and look again.`,
            )
          : device.agent === 'simulator'
            ? warn(
                name,
                say`a simulator: it sends no SMS`,
                say`Pair a real phone under that name: kashbox devices rotate.`,
              )
            : ok(name, say`online`);
      case 'LATE':
      case 'OFFLINE':
      case 'REVOKED':
        return warn(
          name,
          device.trouble === null ? seen : say`${seen}, and it said: ${device.trouble}`,
          say`Look at the phone: power, network, battery saver off, relay app running.`,
        );
      default:
        return device.state satisfies never;
    }
  });
}

function simlessCheck({ device, count }: Awaited<ReturnType<typeof simlessSms>>[number]): Finding {
  const what = say`${count} SMS of the last 24 hours do not say which SIM received them: their payments go to review`;
  const remedy = say`In Termux: \`kashbox-relay doctor\` on the phone tells how to name its SIMs. Other programs: send sim_slot.`;
  return warn(`SIMs of ${device}`, what, remedy);
}

function accountChecks(accounts: readonly Account[], devices: readonly DeviceView[]): Finding[] {
  if (accounts.length === 0) {
    return [
      warn('accounts', say`there are none, so nobody can pay`, say`Set the first one: kashbox accounts set`),
    ];
  }
  const watched = new Set(
    devices.flatMap((device) => device.sims.map((sim) => `${device.merchant_id} ${sim.number}`)),
  );
  const wallets = accounts.filter(isWallet);
  const unseen = wallets.filter((account) => !watched.has(`${account.merchant_id} ${account.number}`));
  if (unseen.length === 0) {
    const others = accounts.length - wallets.length;
    const checked = say`${wallets.length} of wallets, each with its SIM in a phone; ${others} others`;
    return [ok('accounts', checked)];
  }
  return unseen.map((account) =>
    warn(
      `account ${account.number}`,
      say`${account.brand} is paid there, but no phone has that SIM`,
      say`Enroll the phone with --sim 1=${account.number}, or disable the account.`,
    ),
  );
}
