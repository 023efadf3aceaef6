/** `kashbox acquirers list` */
import { acquirerView, listAcquirers } from '../../src/actions/acquirers/acquirers.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { merchantFlag } from '../../src/cli/command/flags.js';
import { shrinking } from '../../src/cli/text/table.js';

export default list({
  summary: 'List registered banks.',
  description:
    'Notifications of REVOKED banks are rejected; "kashbox acquirers create" registers them again. --json ' +
    'includes each field map.',
  examples: ['$', '$ --merchant "Amar Dokan" --json'],
  flags: { merchant: merchantFlag },
  empty: 'There are no acquirers here. Make one known with: kashbox acquirers create',
  async read({ core, flags: { merchant } }) {
    return rowsAs(await listAcquirers(core, { merchant }), {
      columns: [
        shrinking('name'),
        shrinking('merchant'),
        'status',
        'auth',
        { head: 'KEY', text: (row) => row.key_hint },
        { head: 'SINCE', text: (row) => row.created_at.slice(0, 10) },
      ],
      csv: acquirerView.csv('signature', 'map'),
    });
  },
});
