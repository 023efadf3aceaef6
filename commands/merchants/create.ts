/** `kashbox merchants create` */
import { createMerchant } from '../../src/actions/merchants/change-merchant.js';
import { quoted } from '../../src/base/values/text.js';
import { hostedFlags, profileFlags } from '../../src/cli/command/brand-flags.js';
import { command } from '../../src/cli/command/define.js';
import { needed, repeated } from '../../src/cli/command/flags.js';
import { brandSecretsSheet } from '../../src/cli/text/secrets-text.js';

export default command({
  summary: 'Create a merchant with a brand and key.',
  description:
    'The first brand has the name of the merchant. Its Brand Key and webhook secret are shown once: copy ' +
    'them now. "kashbox keys rotate" replaces a lost key.',
  makesHome: true,
  examples: [
    '$ --name "Amar Dokan"',
    '$ --name "Amar Dokan" --mobile 01712345678 --email shop@example.com',
    '$ --name "Amar Dokan" --allow-ip 203.0.113.7 --json',
  ],
  flags: {
    name: needed('NAME', 'Name of the merchant; no two have the same.'),
    ...profileFlags,
    ...hostedFlags,
    'allow-ip': repeated('IP', 'Accept only this IP address or CIDR range; repeatable.'),
  },
  async run({ cli, flags }) {
    const created = await createMerchant(await cli.core(), {
      ...flags,
      fees: flags.fee,
      allowIps: flags.allowIp ?? [],
      who: cli.who,
    });
    cli.show(created, flags, ({ merchant, brand }) => [
      ...brandSecretsSheet(
        [
          ['Merchant', merchant.name],
          ['Merchant id', merchant.id],
          ['Brand id', brand.id],
        ],
        created,
      ),
      '',
      'Next, add a receiving account:',
      `  kashbox accounts set --brand ${quoted(brand.name)} --channel mfs_a --type personal --number 01…`,
    ]);
  },
});
