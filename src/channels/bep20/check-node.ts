/** How one node does at this moment, for `kashbox nodes`. Remembers nothing. */
import { type AskLimits, askNode, NO_HASH, type NodeAnswer } from './ask-node.js';
import type { Block, ChainNode, NodeFault } from './types.js';

export type NodeCheck =
  | {
      readonly outcome: 'well';
      readonly latest: Block;
      /** Null where it does not tell what is final. */
      readonly finalized: Block | null;
      /** How long the question of one payment took it. */
      readonly tookMs: number;
      /** False where it takes one question a request only, though it was asked several. */
      readonly takesBatches: boolean;
    }
  | { readonly outcome: 'fault'; readonly fault: NodeFault };

/** Asks what every payment asks; if several questions at once fail, then one by one. */
export async function checkNode(node: ChainNode, chainId: number, limits: AskLimits): Promise<NodeCheck> {
  const first = await timed(() => askNode(node, chainId, [NO_HASH], limits));
  if (first.answer.outcome === 'said') return wellOf(first.answer, first.tookMs, node.batches);
  if (node.batches) {
    const single = await timed(() => askNode({ ...node, batches: false }, chainId, [NO_HASH], limits));
    if (single.answer.outcome === 'said') return wellOf(single.answer, single.tookMs, false);
  }
  return { outcome: 'fault', fault: first.answer.fault };
}

async function timed(ask: () => Promise<NodeAnswer>) {
  const startedAt = performance.now();
  const answer = await ask();
  return { answer, tookMs: Math.round(performance.now() - startedAt) };
}

function wellOf(
  { heads }: Extract<NodeAnswer, { readonly outcome: 'said' }>,
  tookMs: number,
  takesBatches: boolean,
): NodeCheck {
  return { outcome: 'well', latest: heads.latest, finalized: heads.finalized, tookMs, takesBatches };
}
