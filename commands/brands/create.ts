/** `kashbox brands create` */
import { hostedFlags, profileFlags, timeFlags } from '../../src/cli/command/brand-flags.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededMerchant } from '../../src/cli/command/flags.js';
import { PLUGIN_HELP } from '../../src/cli/text/plugin-text.js';

export default command({
  summary: 'Open a further brand of a merchant.',
  description:
    'A brand is what customers see. It has its own Brand Key, accounts and webhook. Key and webhook secret are ' +
    `shown once: copy them now. ${PLUGIN_HELP}`,
  examples: [
    '$ --merchant "Amar Dokan" --name "Amar Dokan Online"',
    '$ --merchant "Amar Dokan" --name Eid --session-minutes 30 --json',
    '$ --merchant "Amar Dokan" --name Web --fee mfs_a=1.85% --fee bank=10',
  ],
  flags: {
    merchant: neededMerchant,
    name: needed('NAME', 'Name of the brand; no two have the same.'),
    ...profileFlags,
    ...timeFlags,
    ...hostedFlags,
  },
  async run({ cli, flags }) {
    const { createBrand } = await import('../../src/actions/brands/create-brand.js');
    const created = await createBrand(await cli.core(), {
      ...flags,
      fees: flags.fee,
      who: cli.who,
    });
    const { pluginLines } = await import('../../src/cli/text/plugin-text.js');
    const { brandSecretsSheet } = await import('../../src/cli/text/sheets.js');
    cli.show(created, flags, ({ brand }) => [
      ...brandSecretsSheet(
        [
          ['Brand', brand.name],
          ['Brand id', brand.id],
        ],
        created,
      ),
      ...pluginLines(flags.plugin, cli.width),
    ]);
  },
});
