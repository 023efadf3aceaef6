/** `kashbox brands create` */
import { boolean } from '@oclif/core/flags';
import { createBrand } from '../../src/actions/brands/change-brand.js';
import { brandingFlags, hostedFlags, profileFlags, timeFlags } from '../../src/cli/command/brand-flags.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededMerchant } from '../../src/cli/command/flags.js';
import { pictureFile } from '../../src/cli/input/whole-input.js';
import { PLUGIN_HELP, pluginLines } from '../../src/cli/text/plugin-text.js';
import { brandSecretsSheet } from '../../src/cli/text/secrets-text.js';

const TEST_KIND = 'TEST: payments are simulated, no real money';

export default command({
  summary: 'Create a brand.',
  description:
    'A brand is what customers see. It has its own Brand Key, accounts and webhook. Key and webhook secret are ' +
    'shown once: copy them now. A test brand needs neither accounts nor a phone: "kashbox test pay" and ' +
    'a button on the page simulate its payments, which appear in no report. ' +
    PLUGIN_HELP,
  examples: [
    '$ --merchant "Amar Dokan" --name "Amar Dokan Online"',
    '$ --merchant "Amar Dokan" --name Eid --session-minutes 30 --json',
    '$ --merchant "Amar Dokan" --name Puja --logo logo.png --color "#0a7"',
    '$ --merchant "Amar Dokan" --name Web --fee mfs_a=1.85% --fee bank=10',
    '$ --merchant "Amar Dokan" --name "Amar Dokan test" --test',
  ],
  flags: {
    merchant: neededMerchant,
    name: needed('NAME', 'Name of the brand; no two have the same.'),
    test: boolean({
      description: 'Create a test brand: no real money, key begins with test_; permanent.',
    }),
    ...profileFlags,
    ...brandingFlags,
    ...timeFlags,
    ...hostedFlags,
  },
  async run({ cli, flags }) {
    const created = await createBrand(await cli.core(), {
      ...flags,
      colour: flags.color,
      logo: await pictureFile('logo', flags.logo),
      fees: flags.fee,
      who: cli.who,
    });
    cli.show(created, flags, ({ brand }) => [
      ...brandSecretsSheet(
        [
          ['Brand', brand.name],
          ['Brand id', brand.id],
          ...(brand.kind === 'test' ? ([['Kind', TEST_KIND]] as const) : []),
        ],
        created,
      ),
      ...pluginLines(flags.plugin, cli.width),
    ]);
  },
});
