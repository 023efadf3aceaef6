/** `kashbox nodes list` */
import type { NodeView } from '../../src/actions/usdt/node-view.js';
import { BaseCommand, type Listing } from '../../src/cli/command/base-command.js';
import { chainFlag, listFlags } from '../../src/cli/command/flags.js';

const listing = (names: ReadonlyMap<string, string>, below: readonly string[]): Listing<NodeView> => ({
  columns: [
    { head: 'CHAIN', text: (row) => String(row.chain_id), align: 'right' },
    { head: 'PRIORITY', text: (row) => String(row.priority), align: 'right' },
    { head: 'NODE', text: (row) => names.get(row.id) ?? row.origin, shrinks: true },
    { head: 'BATCHES', text: (row) => (row.batches ? 'yes' : 'no') },
    { head: 'CALLS', text: (row) => String(row.calls), align: 'right' },
    { head: 'FAILED', text: (row) => failuresText(row), shrinks: true },
  ],
  csv: ['id', 'chain_id', 'network', 'origin', 'priority', 'batches', 'calls', 'last_ok_at', 'created_at'],
  empty: 'There are no nodes here. Add the well-known public ones with: kashbox nodes add --public',
  below,
});

export default class NodesList extends BaseCommand {
  static override summary = 'List the nodes from which payments in USDT are read.';
  static override description =
    'They are asked in this order: the first that is well answers. FAILED counts what went wrong and how often. ' +
    'Of an address only its beginning is shown, because the rest may be your key; where several begin alike their ids are told below.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --chain 97 --json',
  ];
  static override flags = { chain: chainFlag, ...listFlags };

  async run(): Promise<void> {
    const { flags } = await this.parse(NodesList);
    const { listNodes } = await import('../../src/actions/usdt/list-nodes.js');
    const { nodeIdLines, nodeNames } = await import('../../src/cli/text/node-names.js');
    const rows = await listNodes(await this.core(), { chainId: flags.chain });
    await this.showList(rows, flags, listing(nodeNames(rows), nodeIdLines(rows)));
  }
}

function failuresText({ failures }: NodeView): string {
  const kinds = Object.entries(failures).map(([kind, count]) => `${kind} ${count}`);
  return kinds.length === 0 ? '-' : kinds.join(', ');
}
