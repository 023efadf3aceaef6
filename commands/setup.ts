/** `kashbox setup` */
import type { Core } from '../src/actions/core/core.js';
import type { Shop, ShopPlan } from '../src/actions/merchants/set-up-shop.js';
import { refuse } from '../src/base/errors/refuse.js';
import { pluginFlag } from '../src/cli/command/brand-flags.js';
import { command, type FlagsOf } from '../src/cli/command/define.js';
import { repeated, text } from '../src/cli/command/flags.js';
import { requireTerminal } from '../src/cli/input/require-terminal.js';
import type { PlannedShop } from '../src/cli/setup/wizard.js';
import { PLUGIN_HELP } from '../src/cli/text/plugin-text.js';

const ofMerchant = { dependsOn: ['merchant-name'] };

const FLAGS = {
  'merchant-name': text('NAME', 'Name of the shop. Nothing is asked then.'),
  mobile: text('NUMBER', 'Mobile number that customers see.', ofMerchant),
  email: text('ADDRESS', 'E-mail address that customers see.', ofMerchant),
  plugin: { ...pluginFlag, ...ofMerchant },
  account: repeated(
    'ACCOUNT',
    'channel:type:number, such as mfs_a:personal:01712345678. May be given several times.',
    ofMerchant,
  ),
  'device-name': text('NAME', 'Name of the phone.', { dependsOn: ['merchant-name', 'sim'] }),
  sim: repeated(
    'SLOT=NUMBER',
    'Slot and number of a SIM, such as 1=01712345678. May be given several times.',
    { dependsOn: ['device-name'] },
  ),
  url: text('URL', 'https address of the daemon as the phone sees it; asked for in a terminal.'),
};

export default command({
  summary: 'Set up the first shop: merchant, wallets and phone.',
  description:
    'In a terminal it asks, step by step. With --merchant-name it asks nothing and takes everything from the flags, ' +
    'for scripts. Where there is no certificate yet it makes the one of the daemon, so that the lines for the phone ' +
    `name it. Keys and the pairing code are shown once: copy them now. ${PLUGIN_HELP}`,
  makesHome: true,
  examples: [
    '$',
    '$ --merchant-name "Amar Dokan" --account mfs_a:personal:01712345678 --device-name counter-1 --sim 1=01712345678 --json',
  ],
  flags: FLAGS,
  async run({ cli, flags }) {
    const { newCodeCommand, pairingDetails } = await import('../src/cli/pairing/pairing.js');
    const { boundAddress, httpsBase, isHidden, isLoopback } = await import(
      '../src/cli/input/daemon-address.js'
    );
    const given = flags.url === undefined ? undefined : httpsBase(flags.url);
    const core = await cli.core();
    const name = flags.merchantName;
    const { plan, url } =
      name === undefined ? await ask(core, given) : { plan: planOf(name, flags), url: given };
    const device = plan.device?.name ?? '';
    const address = url ?? boundAddress(core);
    const details = plan.device === undefined ? null : await pairingDetails(core, address, device);
    const { setUpShop } = await import('../src/actions/merchants/set-up-shop.js');
    const shop = await setUpShop(core, plan, cli.who);
    const { pairingSheet } = await import('../src/cli/pairing/pairing-sheet.js');
    const pairing =
      flags.json || shop.device === null || details === null
        ? []
        : await pairingSheet(shop.device, details, process.stdout.isTTY);
    const isForOthers = details !== null && !isLoopback(details.url) && isHidden(core);
    const { pluginLines } = await import('../src/cli/text/plugin-text.js');
    const { brandSecretsSheet } = await import('../src/cli/text/sheets.js');
    cli.show(shop, flags, () => [
      ...brandSecretsSheet(aboutShop(shop), shop),
      ...pluginLines(plan.plugin, cli.width),
      '',
      ...pairing,
      '',
      isForOthers ? 'Next: kashbox daemon --host 0.0.0.0' : 'Next: kashbox daemon',
    ]);
    if (details === null) return;
    for (const warning of details.warnings) cli.note(`Note: ${warning}`);
    const again = newCodeCommand(device, details.url);
    cli.note(`Note: pair the phone while the daemon runs. If the code has run out by then: ${again}`);
  },
});

async function ask(core: Core, url: string | undefined): Promise<PlannedShop> {
  requireTerminal(
    'There is no terminal to ask in',
    'Give everything as flags: kashbox setup --merchant-name NAME --account mfs_a:personal:01712345678',
  );
  const { askShop } = await import('../src/cli/setup/wizard.js');
  const { daemonAddresses } = await import('../src/cli/input/daemon-address.js');
  const { requireFreeName } = await import('../src/actions/merchants/require-free-name.js');
  const checkName = (name: string) => requireFreeName(core, name);
  return askShop(checkName, url === undefined ? daemonAddresses(core) : [{ url, about: '' }]);
}

function planOf(name: string, flags: FlagsOf<typeof FLAGS>): ShopPlan {
  const accounts = (flags.account ?? []).map((text) => {
    const [channel = '', type = '', number = '', ...rest] = text.split(':');
    if (number === '' || rest.length > 0) {
      refuse(
        `account "${text}" does not name channel, type and number`,
        'Write it as mfs_a:personal:01712345678.',
      );
    }
    return { channel, type, number };
  });
  const device =
    flags.deviceName === undefined ? undefined : { name: flags.deviceName, sims: flags.sim ?? [] };
  const { mobile, email, plugin } = flags;
  return { name, mobile, email, plugin, accounts, device };
}

function aboutShop(shop: Shop): [string, string][] {
  return [
    ['Merchant', shop.merchant.name],
    ['Merchant id', shop.merchant.id],
    ['Brand id', shop.brand.id],
    ...shop.accounts.map(({ channel, type, number }): [string, string] => [
      'Account',
      `${channel} ${type} ${number}`,
    ]),
  ];
}
