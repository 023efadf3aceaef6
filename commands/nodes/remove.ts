/** `kashbox nodes remove` */
import { removeNode } from '../../src/actions/usdt/nodes.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { many } from '../../src/cli/command/flags.js';

export default bulkCommand({
  summary: 'Remove blockchain nodes.',
  description:
    'Payments that were confirmed with it are kept. Without any node of its chain no USDT payment is ' +
    'confirmed.',
  examples: ['$ https://bsc-dataseed.bnbchain.org', 'kashbox nodes list --chain 97 --json | $ -'],
  args: { nodes: many('IDs of nodes, or where their addresses begin') },
  one: ({ core, who }, node) => removeNode(core, { node, who }),
  lines: ({ id, origin }) => [`Removed ${origin} (${id})`],
});
