/** `kashbox nodes remove` */
import { each } from '../../src/cli/command/define.js';
import { manyNodes } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Ask a node no more.',
  description:
    'Payments that were read from it stay. Without any node of its chain no payment in USDT is confirmed.',
  examples: ['$ https://bsc-dataseed.bnbchain.org', 'kashbox nodes list --chain 97 --json | $ -'],
  args: { nodes: manyNodes() },
  async work({ core, who }) {
    const { removeNode } = await import('../../src/actions/usdt/nodes.js');
    return {
      one: (node) => removeNode(core, { node, who }),
      lines: ({ id, origin }) => [`Removed ${origin} (${id})`],
    };
  },
});
