/** `kashbox nodes remove` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyNodes, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class NodesRemove extends BaseCommand {
  static override summary = 'Ask a node no more.';
  static override description =
    'Payments that were read from it stay. Without any node of its chain no payment in USDT is confirmed.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> https://bsc-dataseed.bnbchain.org',
    '<%= config.bin %> nodes list --chain 97 --json | <%= config.bin %> <%= command.id %> -',
  ];
  static override args = { nodes: manyNodes() };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(NodesRemove);
    const { removeNode } = await import('../../src/actions/usdt/remove-node.js');
    const core = await this.core();
    await this.each(
      [args.nodes].flat(),
      flags,
      (node) => removeNode(core, { node, who: this.who }),
      ({ id, origin }) => [`Removed ${origin} (${id})`],
    );
  }
}
