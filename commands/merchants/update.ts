/** `kashbox merchants update` */
import { boolean } from '@oclif/core/flags';
import { updateMerchant } from '../../src/actions/merchants/change-merchant.js';
import { merchantSheet } from '../../src/actions/merchants/merchant-view.js';
import { command } from '../../src/cli/command/define.js';
import { oneId, repeated, text } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default command({
  summary: 'Update a merchant.',
  description:
    'Options that you omit stay as they are; an empty text clears a field. "kashbox brands update" ' +
    'changes what customers see. Changes apply from the next request on.',
  examples: [
    '$ "Amar Dokan" --name "Amar Dokan Ltd"',
    '$ "Amar Dokan" --allow-ip 203.0.113.7 --allow-ip 198.51.100.0/24',
    '$ "Amar Dokan" --allow-any-ip',
  ],
  args: { merchant: oneId('Merchant ID or name.') },
  flags: {
    name: text('NAME', 'New name.'),
    mobile: text('NUMBER', 'Mobile number of the merchant.', { kind: 'digits' }),
    whatsapp: text('NUMBER', 'WhatsApp number of the merchant.', { kind: 'digits' }),
    email: text('ADDRESS', 'E-mail address of the merchant.'),
    'allow-ip': repeated('IP', 'Accept only these addresses; replaces the list; repeatable.'),
    'allow-any-ip': boolean({ description: 'Accept requests from any address.', exclusive: ['allow-ip'] }),
  },
  async run({ cli, args, flags }) {
    const updated = await updateMerchant(await cli.core(), {
      ...flags,
      merchant: args.merchant,
      allowIps: flags.allowAnyIp ? [] : flags.allowIp,
      who: cli.who,
    });
    cli.show(updated, flags, (view) => formatKeyValues(merchantSheet(view)));
  },
});
