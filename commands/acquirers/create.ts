/** `kashbox acquirers create` */
import { option } from '@oclif/core/flags';
import { createAcquirer } from '../../src/actions/acquirers/acquirers.js';
import { pushFlags } from '../../src/cli/command/acquirer-flags.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededMerchant, repeated } from '../../src/cli/command/flags.js';
import { loadFieldMap } from '../../src/cli/input/whole-input.js';
import { createdAcquirerSheet } from '../../src/cli/text/acquirer-sheet.js';
import { ACQUIRER_AUTHS } from '../../src/domain/accounts/access.js';

export default command({
  summary: 'Register a bank that sends payment notifications.',
  description:
    'Key and secret are for the bank and shown once. --field-map says which of its fields is which; ' +
    'without it the names are reference, amount, payer, paid_at, status (SUCCESS), bill, merchant and ' +
    'currency. A revoked acquirer comes back under its name with a new key and secret.',
  examples: [
    '$ --merchant "Amar Dokan" --name city-bank',
    '$ --merchant "Amar Dokan" --name city-bank --field-map map.json --signature-prefix sha256=',
    '$ --merchant "Amar Dokan" --name old-bank --auth ip --allow-ip 203.0.113.0/24',
  ],
  flags: {
    merchant: neededMerchant,
    name: needed('NAME', 'Name of the bank; no two of a merchant have the same.'),
    auth: option({
      options: ACQUIRER_AUTHS,
      default: 'hmac' as const,
      description: 'Authentication: signature, password, or IP address only.',
    })(),
    'allow-ip': repeated('IP', 'Accept only this IP address or CIDR range; repeatable.'),
    ...pushFlags,
  },
  async run({ cli, flags }) {
    const created = await createAcquirer(await cli.core(), {
      ...flags,
      allowIps: flags.allowIp,
      map: await loadFieldMap(flags.fieldMap),
      who: cli.who,
    });
    cli.show(created, flags, createdAcquirerSheet);
  },
});
