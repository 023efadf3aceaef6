/** `kashbox nodes list` */
import { listNodes, nodeView } from '../../src/actions/usdt/nodes.js';
import { list, rowsAs } from '../../src/cli/command/define.js';
import { chainFlag } from '../../src/cli/command/flags.js';
import { nodeIdLines, nodeNames } from '../../src/cli/text/node-names.js';

export default list({
  summary: 'List blockchain nodes.',
  description:
    'Nodes are tried in this order; the first healthy one answers. FAILED counts failed calls by reason. ' +
    'Only the beginning of a URL is shown, because the rest may be your key; if several begin alike, ' +
    'their ids are listed below.',
  examples: ['$', '$ --chain 97 --json'],
  flags: { chain: chainFlag },
  empty: 'There are no nodes here. Add the well-known public ones with: kashbox nodes add --public',
  async read({ core, flags: { chain } }) {
    const rows = await listNodes(core, { chainId: chain });
    const names = nodeNames(rows);
    return rowsAs(rows, {
      columns: [
        { head: 'CHAIN', text: (row) => String(row.chain_id), align: 'right' },
        { head: 'PRIORITY', text: (row) => String(row.priority), align: 'right' },
        { head: 'NODE', text: (row) => names.get(row.id) ?? row.origin, shrinks: true },
        { head: 'BATCHES', text: (row) => (row.batches ? 'yes' : 'no') },
        { head: 'CALLS', text: (row) => String(row.calls), align: 'right' },
        { head: 'FAILED', text: (row) => failuresText(row.failures), shrinks: true },
      ],
      csv: nodeView.csv('failures', 'last_failure'),
      below: nodeIdLines(rows),
    });
  },
});

function failuresText(failures: Readonly<Record<string, number>>): string {
  const kinds = Object.entries(failures).map(([kind, count]) => `${kind} ${count}`);
  return kinds.length === 0 ? '-' : kinds.join(', ');
}
