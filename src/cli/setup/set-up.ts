/**
 * Runs `kashbox setup` with flags: creates a shop or uses an existing one, and runs the requested checks.
 * Never prompts; a wait that times out ends with an error.
 */
import type { Core } from '../../actions/core/core.js';
import type { DeviceView } from '../../actions/devices/device-view.js';
import { takaField } from '../../actions/input/fields.js';
import { type CreatedShop, type ShopPlan, setUpShop } from '../../actions/merchants/set-up-shop.js';
import type { SimulatedPayment } from '../../actions/test-payments/simulate-payments.js';
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { msg } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import type { BaseCommand } from '../command/base-command.js';
import { boundAddress, httpsBase, isHidden, isLoopback } from '../input/daemon-address.js';
import type { Localizer } from '../language/language.js';
import { newCodeCommand, type PairingDetails, pairingDetails, pairingSheet } from '../pairing/pairing.js';
import { pluginLines } from '../text/plugin-text.js';
import { brandSecretsSheet } from '../text/secrets-text.js';
import { daemonCommand, startLines, writeUnit } from './managed-daemon.js';
import {
  type PaidTest,
  playedLines,
  type SetupCheckContext,
  tryPlayed,
  tryReal,
  waitForPhone,
} from './try-shop.js';
import type { PlannedShop } from './wizard.js';

const DEFAULT_WAIT_S = 600;
const DEFAULT_TAKA = '10';
/** Refused in this state. */
const EXIT_REFUSED = 4;

interface SetupFlags {
  readonly json: boolean | undefined;
  readonly url: string | undefined;
  readonly server: boolean | undefined;
  /** Seconds. */
  readonly wait: number | undefined;
  readonly testPayment: 'simulated' | 'real' | undefined;
  readonly amount: string | undefined;
  /** The file that it is written to. */
  readonly serviceUnit: string | undefined;
}

export interface Setup {
  readonly cli: BaseCommand;
  readonly flags: SetupFlags;
  readonly speaker: Localizer;
}

interface SetupCheckResults {
  /** The phone that called; absent where nobody waited for one. */
  readonly device?: DeviceView;
  readonly test_payments?: readonly (SimulatedPayment | PaidTest)[];
}

/** @throws KashboxError */
export async function setUpByFlags(setup: Setup, plan: ShopPlan): Promise<void> {
  const { cli, flags, speaker } = setup;
  if (flags.json && (flags.wait !== undefined || flags.testPayment === 'real')) {
    refuse(
      'With --json the pairing code is printed last, too late for a phone that is waited for',
      `Take two steps: this without --wait and --test-payment real, then kashbox setup --brand ${quoted(plan.name)}.`,
    );
  }
  const core = await cli.core();
  const url = flags.url === undefined ? undefined : httpsBase(flags.url);
  const made = await makeShop(core, { plan, url }, cli.who);
  // The daemon of a server runs already.
  if (!flags.json) await printShop(cli, made, speaker, !flags.server);
  writeService(setup, core.home.folder, made.host);
  const proven = await prove(setup, made.shop.brand.name);
  if (flags.json) cli.show({ ...made.shop, ...proven }, flags, () => []);
}

/** @throws KashboxError `not_found`, `state_refused` */
export async function runSetupChecks(setup: Setup, brand: string): Promise<void> {
  const { cli, flags } = setup;
  const { home } = await cli.core();
  writeService(setup, home.folder, undefined);
  const proven = await prove(setup, brand);
  if (flags.json) cli.show(proven, flags, () => []);
}

/** Waits for the phone and makes the test payment, if the flags request it. */
async function prove({ cli, flags, speaker }: Setup, brand: string): Promise<SetupCheckResults> {
  const { wait, testPayment } = flags;
  const limitS = wait ?? DEFAULT_WAIT_S;
  const note = (line: string) => cli.note(line);
  const trial: SetupCheckContext = { core: await cli.core(), brand, speaker, limitMs: limitS * 1_000, note };
  const device = wait === undefined ? undefined : await waitForPhone(trial);
  if (device === null) throw tooLate(`No phone of "${brand}" connected within ${limitS} seconds`);
  const seen = device === undefined ? {} : { device };
  switch (testPayment) {
    case undefined:
      return seen;
    case 'simulated': {
      const played = await tryPlayed(trial);
      for (const line of playedLines(played, speaker)) note(line);
      if (played.some(({ outcome }) => outcome !== 'completed')) process.exitCode = EXIT_REFUSED;
      return { ...seen, test_payments: played };
    }
    case 'real': {
      const paid = await tryReal(trial, takaField(flags.amount ?? DEFAULT_TAKA));
      if (paid === null) throw tooLate(`No SMS of that amount has come within ${limitS} seconds`);
      if (paid.outcome !== 'completed') process.exitCode = EXIT_REFUSED;
      return { ...seen, test_payments: [paid] };
    }
    default:
      return testPayment satisfies never;
  }
}

function tooLate(message: string): KashboxError {
  return new KashboxError('state_refused', {
    message,
    hint: 'See what is wrong: kashbox doctor. To wait longer: --wait SECONDS',
  });
}

/** Writes the systemd unit if `--service-unit` is set. */
function writeService({ cli, flags, speaker }: Setup, home: string, host: string | undefined): void {
  const { serviceUnit: file } = flags;
  if (file === undefined) return;
  const isOfMachine = process.getuid?.() === 0;
  writeUnit(file, { home, host, isOfMachine });
  const lines = startLines(isOfMachine).join('; ');
  cli.note(speaker.speak(msg`Unit file written: ${file}. Copy it to kashbox.service, then: ${lines}`));
}

interface MadeShop extends PlannedShop {
  readonly shop: CreatedShop;
  /** Pairing data; null if there is no phone yet. */
  readonly details: PairingDetails | null;
  /** Address that the daemon must listen on for the phone to reach it; undefined uses the settings. */
  readonly host: string | undefined;
}

/** @throws KashboxError `invalid_input`, `already_exists` */
export async function makeShop(core: Core, { plan, url }: PlannedShop, who: string): Promise<MadeShop> {
  const address = url ?? boundAddress(core);
  const details = plan.device === undefined ? null : await pairingDetails(core, address, plan.device.name);
  const shop = await setUpShop(core, plan, who);
  const isForOthers = details !== null && !isLoopback(details.url) && isHidden(core);
  return { plan, url, shop, details, host: isForOthers ? '0.0.0.0' : undefined };
}

/** @param isLast whether nothing follows, so that the next steps are to be named. */
export async function printShop(
  cli: BaseCommand,
  { plan, shop, details, host }: MadeShop,
  { speak }: Localizer,
  isLast: boolean,
): Promise<void> {
  const pairing =
    shop.device === null || details === null
      ? []
      : await pairingSheet(shop.device, details, process.stdout.isTTY, speak);
  cli.say([
    ...brandSecretsSheet(aboutShop(shop, { speak }), shop, speak),
    ...pluginLines(plan.plugin, cli.width),
    '',
    ...pairing,
    ...(isLast ? ['', ...nextLines(shop, host, speak)] : []),
  ]);
  if (details === null || shop.device === null) return;
  for (const warning of details.warnings) cli.note(speak(msg`Note: ${warning}`));
  if (!isLast) return;
  const again = newCodeCommand(shop.device.device.name, details.url);
  cli.note(speak(msg`Note: pair the phone while the daemon runs. If the code has expired by then: ${again}`));
}

/** Returns the next steps. A shop without an account cannot receive payments, so adding one comes first. */
function nextLines(
  { accounts, brand }: CreatedShop,
  host: string | undefined,
  speak: Localizer['speak'],
): string[] {
  const start = daemonCommand(host);
  if (accounts.length > 0) return [speak(msg`Next: ${start}`)];
  const set = `kashbox accounts set --brand ${quoted(brand.name)} --channel mfs_a --type personal --number 01…`;
  return [speak(msg`Next, add a receiving account: ${set}`), speak(msg`Then: ${start}`)];
}

function aboutShop(shop: CreatedShop, { speak }: Pick<Localizer, 'speak'>): [string, string][] {
  return [
    [speak(msg`Merchant`), shop.merchant.name],
    [speak(msg`Merchant id`), shop.merchant.id],
    [speak(msg`Brand id`), shop.brand.id],
    ...shop.accounts.map(({ channel, type, number, personal_qr: code }): [string, string] => [
      speak(msg`Account`),
      `${channel} ${type} ${number}${code === null ? '' : `, Bangla QR of ${code.name}`}`,
    ]),
  ];
}
