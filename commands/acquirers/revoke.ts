/** `kashbox acquirers revoke` */
import { revokeAcquirer } from '../../src/actions/acquirers/acquirers.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';
import { acquirerSheet } from '../../src/cli/text/acquirer-sheet.js';

export default bulkCommand({
  summary: 'Revoke banks and reject their notifications.',
  description:
    'Received notifications are kept. "kashbox acquirers create" with the same name registers the bank ' +
    'again, with a new key and secret.',
  examples: ['$ city-bank'],
  args: { acquirers: many('IDs or names of acquirers') },
  one: ({ core, who }, acquirer) => revokeAcquirer(core, { acquirer, who }),
  lines: acquirerSheet,
});
