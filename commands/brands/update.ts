/** `kashbox brands update` */
import { brandSheet } from '../../src/actions/brands/brand-view.js';
import { updateBrand } from '../../src/actions/brands/change-brand.js';
import {
  brandingFlags,
  hostedFlags,
  pageFlags,
  profileFlags,
  timeFlags,
} from '../../src/cli/command/brand-flags.js';
import { command } from '../../src/cli/command/define.js';
import { oneId, text } from '../../src/cli/command/flags.js';
import { markFiles, pictureFile } from '../../src/cli/input/whole-input.js';
import { PLUGIN_HELP, pluginLines, riskText } from '../../src/cli/text/plugin-text.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default command({
  summary: 'Update a brand.',
  description:
    'Options that you omit stay as they are; an empty text clears a field. Changes apply from the next request on; ' +
    `open payments keep their expiry time and fees. ${PLUGIN_HELP}`,
  examples: [
    '$ "Amar Dokan" --mobile 01712345678 --whatsapp 01712345678',
    '$ "Amar Dokan" --logo logo.webp --color "#0a7" --website https://shop.example.com',
    '$ "Amar Dokan" --logo "" --color ""',
    '$ "Amar Dokan" --mark bkash=bkash.png --mark nagad=',
    '$ "Amar Dokan" --question "How do I pay?=Open the app of your wallet." --video https://video.example.com/pay',
    '$ "Amar Dokan" --webhook-url https://shop.example.com/kashbox',
    '$ "Amar Dokan" --session-minutes 30 --proof-window-hours 2',
    '$ "Amar Dokan" --fee mfs_a=1.85% --fee bank=10+0.5% --fee mfs_c=0',
    '$ "Amar Dokan" --api-refunds 5000',
    '$ "Amar Dokan" --plugin sohojpay-whmcs',
    '$ "Amar Dokan" --dialect flat --metadata-as string --return-type POST',
  ],
  args: { brand: oneId('Brand ID or name.') },
  flags: {
    name: text('NAME', 'New name.'),
    ...profileFlags,
    ...brandingFlags,
    ...pageFlags,
    ...timeFlags,
    ...hostedFlags,
    'api-refunds': text('TAKA', 'Taka that the Brand Key may refund in a day, or off (default).', {
      kind: 'digits',
    }),
  },
  async run({ cli, args, flags }) {
    const updated = await updateBrand(await cli.core(), {
      ...flags,
      colour: flags.color,
      brand: args.brand,
      logo: await pictureFile('logo', flags.logo),
      marks: await markFiles(flags.mark),
      questions: flags.question,
      fees: flags.fee,
      who: cli.who,
    });
    cli.show(updated, flags, (view) => [
      ...formatKeyValues(brandSheet(view)),
      ...pluginLines(flags.plugin, cli.width),
    ]);
    const risk = riskText(updated);
    if (risk !== null) cli.note(`Note: ${risk}`);
  },
});
