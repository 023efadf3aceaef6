/** Makes a shop as it was planned, and prints what is shown once. */
import type { Core } from '../../actions/core/core.js';
import { type Shop, setUpShop } from '../../actions/merchants/set-up-shop.js';
import { say } from '../../base/values/say.js';
import { quoted } from '../../base/values/text.js';
import type { BaseCommand } from '../command/base-command.js';
import { boundAddress, isHidden, isLoopback } from '../input/daemon-address.js';
import type { Speaker } from '../language/language.js';
import { newCodeCommand, type PairingDetails, pairingDetails } from '../pairing/pairing.js';
import { pairingSheet } from '../pairing/pairing-sheet.js';
import { pluginLines } from '../text/plugin-text.js';
import { brandSecretsSheet } from '../text/sheets.js';
import { daemonCommand } from './service-unit.js';
import type { PlannedShop } from './wizard.js';

export interface MadeShop extends PlannedShop {
  readonly shop: Shop;
  /** Null where there is no phone yet. */
  readonly details: PairingDetails | null;
  /** Where the daemon is to listen, so that the phone finds it; undefined for what the settings say. */
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
  { speak }: Speaker,
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
  for (const warning of details.warnings) cli.note(speak(say`Note: ${warning}`));
  if (!isLast) return;
  const again = newCodeCommand(shop.device.device.name, details.url);
  cli.note(speak(say`Note: pair the phone while the daemon runs. If the code has run out by then: ${again}`));
}

/** Without an account there is nothing that customers could pay to. */
function nextLines({ accounts, brand }: Shop, host: string | undefined, speak: Speaker['speak']): string[] {
  const start = daemonCommand(host);
  if (accounts.length > 0) return [speak(say`Next: ${start}`)];
  const set = `kashbox accounts set --brand ${quoted(brand.name)} --channel mfs_a --type personal --number 01…`;
  return [speak(say`Next, say where the money arrives: ${set}`), speak(say`Then: ${start}`)];
}

function aboutShop(shop: Shop, { speak }: Pick<Speaker, 'speak'>): [string, string][] {
  return [
    [speak(say`Merchant`), shop.merchant.name],
    [speak(say`Merchant id`), shop.merchant.id],
    [speak(say`Brand id`), shop.brand.id],
    ...shop.accounts.map(({ channel, type, number }): [string, string] => [
      speak(say`Account`),
      `${channel} ${type} ${number}`,
    ]),
  ];
}
