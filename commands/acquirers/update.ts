/** `kashbox acquirers update` */
import { boolean, option } from '@oclif/core/flags';
import { updateAcquirer } from '../../src/actions/acquirers/acquirers.js';
import { pushFlags } from '../../src/cli/command/acquirer-flags.js';
import { command } from '../../src/cli/command/define.js';
import { oneId, repeated, text } from '../../src/cli/command/flags.js';
import { loadFieldMap } from '../../src/cli/input/whole-input.js';
import { acquirerSheet } from '../../src/cli/text/acquirer-sheet.js';
import { ACQUIRER_AUTHS } from '../../src/domain/accounts/access.js';

export default command({
  summary: "Update a bank's authentication and field mapping.",
  description:
    'Options that you omit stay as they are; a field map is replaced completely. Changes apply to new ' +
    'notifications. "kashbox pushes reparse" parses the stored ones with the new map.',
  examples: [
    '$ city-bank --field-map map.json',
    '$ city-bank --signature-header X-Hub-Signature-256 --signature-prefix sha256=',
    '$ city-bank --allow-ip 203.0.113.7 --allow-ip 198.51.100.0/24',
  ],
  args: { acquirer: oneId('Acquirer ID or name.') },
  flags: {
    name: text('NAME', 'New name.'),
    auth: option({
      options: ACQUIRER_AUTHS,
      description: 'Authentication: signature, password, or IP address only.',
    })(),
    'allow-ip': repeated('IP', 'Accept only these addresses; replaces the list; repeatable.'),
    'allow-any-ip': boolean({
      description: 'Accept notifications from any address.',
      exclusive: ['allow-ip'],
    }),
    ...pushFlags,
  },
  async run({ cli, args, flags }) {
    const map = await loadFieldMap(flags.fieldMap);
    const updated = await updateAcquirer(await cli.core(), {
      ...flags,
      acquirer: args.acquirer,
      allowIps: flags.allowAnyIp ? [] : flags.allowIp,
      map,
      who: cli.who,
    });
    cli.show(updated, flags, acquirerSheet);
  },
});
