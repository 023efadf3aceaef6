/** `kashbox nodes check` */
import {
  type CheckedNode,
  checkNodes,
  shortageRemedy,
  shortageText,
} from '../../src/actions/usdt/check-nodes.js';
import { command } from '../../src/cli/command/define.js';
import { chainFlag, listFlags } from '../../src/cli/command/flags.js';
import { nodeIdLines, nodeNames } from '../../src/cli/text/node-names.js';

const AGAIN = 'remove it and add it with --no-batch';
/** Refused in this state. */
const EXIT_TOO_FEW = 4;

export default command({
  summary: 'Check all blockchain nodes now.',
  description:
    'AGE: age of the newest block, at most 30 s. FINAL: number of blocks between the newest and the ' +
    'newest final one; "no": the node does not report it, so payments wait for 120 blocks. These calls ' +
    'are not counted. Exit code 4: too few usable nodes.',
  doing: 'Asking',
  examples: ['$', '$ --chain 56 --json'],
  flags: { chain: chainFlag, ...listFlags },
  async run({ cli, flags }) {
    const { nodes, shortages } = await checkNodes(await cli.core(), { chainId: flags.chain });
    if (shortages.length > 0) process.exitCode = EXIT_TOO_FEW;
    const names = nodeNames(nodes);
    await cli.showList(nodes, flags, {
      columns: [
        { head: 'CHAIN', text: (row) => String(row.chain_id), align: 'right' },
        { head: 'NODE', text: (row) => names.get(row.id) ?? row.origin, shrinks: true },
        'state',
        { head: 'BLOCK', text: (row) => numberText(row.block), align: 'right' },
        { head: 'AGE', text: (row) => numberText(row.head_age_s, ' s'), align: 'right' },
        { head: 'FINAL', text: (row) => (row.block === null ? '-' : finalText(row)), align: 'right' },
        { head: 'TOOK', text: (row) => numberText(row.took_ms, ' ms'), align: 'right' },
      ],
      csv: [
        ...(['id', 'chain_id', 'origin', 'priority', 'state', 'detail'] as const),
        ...(['block', 'head_age_s', 'finalized_lag', 'took_ms', 'takes_batches'] as const),
      ],
      empty: 'There are no nodes here. Add the well-known public ones with: kashbox nodes add --public',
      below: nodeIdLines(nodes),
    });
    for (const { id, detail, takes_batches: batches } of nodes) {
      if (detail !== '') cli.note(`${names.get(id)}: ${detail}`);
      if (batches === false) cli.note(`${names.get(id)}: takes one question a request; ${AGAIN}`);
    }
    for (const short of shortages) {
      cli.note(`chain ${short.chainId}: ${shortageText(short)}\n  ${shortageRemedy(short)}`);
    }
  },
});

function numberText(value: number | null, unit = ''): string {
  return value === null ? '-' : `${value}${unit}`;
}

function finalText({ finalized_lag: lag }: CheckedNode): string {
  return lag === null ? 'no' : `-${lag}`;
}
