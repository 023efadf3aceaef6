/** `kashbox setup` */
import { boolean, option } from '@oclif/core/flags';
import type { ShopPlan } from '../src/actions/merchants/set-up-shop.js';
import { refuse } from '../src/base/errors/refuse.js';
import { pluginFlag } from '../src/cli/command/brand-flags.js';
import { command, type FlagsOf } from '../src/cli/command/define.js';
import { integer, repeated, text } from '../src/cli/command/flags.js';
import { langFlag, loadLocalizer } from '../src/cli/language/language.js';
import { runSetupChecks, setUpByFlags } from '../src/cli/setup/set-up.js';
import { PLUGIN_HELP } from '../src/cli/text/plugin-text.js';

const ofMerchant = { dependsOn: ['merchant-name'] };

const FLAGS = {
  'merchant-name': text('NAME', 'Name of the shop; no questions are asked.', { exclusive: ['brand'] }),
  mobile: text('NUMBER', 'Mobile number that customers see.', { kind: 'digits', ...ofMerchant }),
  email: text('ADDRESS', 'E-mail address that customers see.', ofMerchant),
  plugin: { ...pluginFlag, ...ofMerchant },
  account: repeated('CHANNEL:TYPE:NUMBER', 'Account, such as bkash:personal:01712345678; repeatable.', {
    kind: 'channel',
    ...ofMerchant,
  }),
  'device-name': text('NAME', 'Name of the phone.', { dependsOn: ['merchant-name', 'sim'] }),
  sim: repeated('SLOT=NUMBER', 'SIM slot and number, such as 1=01712345678; repeatable.', {
    kind: 'digits',
    dependsOn: ['device-name'],
  }),
  server: boolean({ description: 'Prepare a server first: domain, certificate, service.' }),
  domain: text('NAME', 'Domain name of the server, such as pay.example.com.', { dependsOn: ['server'] }),
  'acme-email': text('EMAIL', 'E-mail address for the certificate authority (optional).', {
    dependsOn: ['server'],
  }),
  'acme-directory': text('URL', "Certificate authority (default: Let's Encrypt).", {
    dependsOn: ['server'],
  }),
  'only-settings': boolean({
    description: 'Store the domain and stop; start the service yourself.',
    dependsOn: ['server'],
  }),
  url: text('URL', 'https address of the daemon as the phone sees it.'),
  brand: text('BRAND', 'Existing shop: wait for its phone, make a test payment.', {
    kind: 'id',
  }),
  wait: integer({
    helpValue: 'SECONDS',
    description: 'Maximum time to wait for the phone and for the SMS of a real test payment.',
    min: 1,
    max: 86_400,
  }),
  'test-payment': option({
    options: ['simulated', 'real'] as const,
    description: 'simulated: an invented SMS for each wallet, then deleted; real: money that you send.',
  })(),
  amount: text('TAKA', 'Amount for --test-payment real (default: 10).', {
    kind: 'digits',
    dependsOn: ['test-payment'],
  }),
  'service-unit': text('FILE', 'Write a systemd unit that runs the daemon.'),
  lang: langFlag(),
};

export default command({
  summary: 'Set up the first shop step by step.',
  description:
    'In a terminal it asks questions, waits for the phone and helps you make a first payment. With --merchant-name ' +
    'or --brand it takes everything from the flags, for scripts. With --server it first stores the domain, starts ' +
    'the daemon as a service and waits for its certificate; without, it creates the self-signed certificate that ' +
    'the pairing code names. Keys and the pairing code are shown once: copy them now. ' +
    `Exit code 4: the phone did not connect in time, or the test payment was not completed. ${PLUGIN_HELP}`,
  makesHome: true,
  examples: [
    '$',
    '$ --lang bn',
    '$ --merchant-name "Amar Dokan" --account mfs_a:personal:01712345678 --device-name counter-1 --sim 1=01712345678 --json',
    '$ --server --domain pay.amardokan.com --merchant-name "Amar Dokan" --account bkash:personal:01712345678',
    '$ --brand "Amar Dokan" --wait 300 --test-payment simulated --json',
  ],
  flags: FLAGS,
  async run({ cli, flags }) {
    const setup = { cli, flags, speaker: await loadLocalizer(flags.lang, process.env) };
    const { brand, merchantName: name, wait, testPayment, serviceUnit } = flags;
    if (flags.server) {
      const { setUpServer } = await import('../src/cli/setup/set-up-server.js');
      if (!(await setUpServer(setup, flags))) return;
    }
    if (name !== undefined) return setUpByFlags(setup, planOf(name, flags));
    const isAsked = wait !== undefined || testPayment !== undefined || serviceUnit !== undefined;
    if (isAsked) {
      if (brand !== undefined) return runSetupChecks(setup, brand);
      refuse('No shop is named', 'Give --merchant-name for a new one, or --brand for one that is there.');
    }
    const { runSetupChecksInteractive, setUpInTerminal } = await import(
      '../src/cli/setup/set-up-in-terminal.js'
    );
    return brand === undefined ? setUpInTerminal(setup) : runSetupChecksInteractive(setup, brand);
  },
});

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
