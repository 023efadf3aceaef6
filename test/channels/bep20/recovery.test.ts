/** Nodes that are down: what they cost, when they are tried again, and how they come back. */

import type { ChainNode } from '../../../src/channels/bep20/types.js';
import { startNodeProxy } from '../../helpers/network/node-proxy.js';
import { startTokenChain, TEN } from '../../helpers/outside/chain-token.js';
import { failuresOf, inShort, onChain, question, readerAt, receipt, twoNodes, UNKNOWN } from './ground.js';

const test = onChain();

test.serial('a first node that is down costs one timeout, then nothing until it answers again', async (t) => {
  const { first, second, nodes } = await twoNodes(t, 'hang');
  const reader = readerAt(t.context, { nodeMs: 2_000, steadyMs: () => 0 });
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'found');
  first.asked();
  for (let index = 0; index < 5; index += 1) await reader.lookup(nodes, question(t.context.hash));
  t.deepEqual(first.asked(), [], 'nobody asks it');
  t.is(second.asked().length, 12);
  t.deepEqual(failuresOf(reader), { first: { timeout: 1 }, second: {} });
});

test.serial(
  'a failed node is probed in the background, one call at a time, and reused once healthy',
  async (t) => {
    const { first, nodes } = await twoNodes(t, 'hang');
    let steady = 0;
    const reader = readerAt(t.context, { nodeMs: 2_000, steadyMs: () => steady });
    await reader.lookup(nodes, question(t.context.hash));
    t.is(failuresOf(reader).first?.timeout, 1);
    first.asked();
    steady += 1_000;
    await Promise.all(Array.from({ length: 20 }, (_, n) => reader.lookup(nodes, question(otherHash(n)))));
    t.is(first.asked().length, 1);
    first.be('none');
    while (failuresOf(reader).first?.timeout !== 1) await sleep(20);
    steady += 2_000;
    await reader.lookup(nodes, question(t.context.hash));
    while (reader.tallies().every(({ source, lastOkAt }) => source !== 'first' || lastOkAt === null))
      await sleep(20);
    first.asked();
    await reader.lookup(nodes, question(t.context.hash));
    t.is(first.asked().length, 2, 'asked first again');
  },
);

test.serial('when all are down, the first of them that is well again answers', async (t) => {
  const { first, second, nodes } = await twoNodes(t, { status: 500 });
  second.be({ status: 500 });
  const reader = readerAt(t.context);
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'unavailable');
  second.be('none');
  first.be('hang');
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'found');
});

test.serial('a node that asks for a pause is not called, even if it is the only one', async (t) => {
  const { first, nodes } = await twoNodes(t, { status: 429, headers: { 'retry-after': '1' } });
  const reader = readerAt(t.context, { steadyMs: () => 0 });
  const look = () => reader.lookup(nodes.slice(0, 1), question(t.context.hash));
  t.is(inShort(await look()), 'unavailable');
  first.be('none');
  first.asked();
  t.is(inShort(await look()), 'unavailable');
  t.deepEqual(first.asked(), []);
});

test.serial('all nodes together have one deadline', async (t) => {
  const ill: ChainNode[] = [];
  for (let index = 0; index < 12; index += 1) {
    const proxy = await startNodeProxy(t, t.context.chain, { id: `${index}` });
    proxy.be('trickle');
    ill.push(proxy.node);
  }
  const reader = readerAt(t.context, { nodeMs: 400, totalMs: 900 });
  t.is(inShort(await reader.lookup(ill, question(t.context.hash))), 'unavailable');
  // One after the other, all twelve would take five times as long as there is.
  t.true(reader.tallies().length < ill.length, 'the others were not asked any more');
});

test.serial('both requests to a node share its one deadline', async (t) => {
  const { nodes } = await twoNodes(t, 'slow');
  const reader = readerAt(t.context, { nodeMs: 900 });
  await reader.lookup(nodes, question(t.context.hash));
  t.like(failuresOf(reader), { first: { timeout: 1 } });
});

test.serial('the time of all together also ends the last conversation', async (t) => {
  const { nodes } = await twoNodes(t, 'hang');
  const reader = readerAt(t.context, { nodeMs: 600_000, totalMs: 300 });
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'unavailable');
});

test.serial('a node that contradicts itself is skipped like one that is down', async (t) => {
  const { first, nodes } = await twoNodes(t, receipt({ transactionHash: UNKNOWN }));
  const reader = readerAt(t.context, { steadyMs: () => 0 });
  await reader.lookup(nodes, question(t.context.hash));
  first.asked();
  t.is(inShort(await reader.lookup(nodes, question(t.context.hash))), 'found');
  t.deepEqual(first.asked(), []);
});

test.serial('no connection to a node that hangs is left open', async (t) => {
  const { first, nodes } = await twoNodes(t, 'hang');
  const reader = readerAt(t.context, { nodeMs: 300 });
  await Promise.all(Array.from({ length: 30 }, (_, n) => reader.lookup(nodes, question(otherHash(n)))));
  while (first.open() > 0) await sleep(20);
  t.pass('the last of them was closed');
});

test.serial('67: a node whose chain is exchanged while it runs is out until it is right again', async (t) => {
  const chain = await startTokenChain(t);
  const hash = await chain.pay(TEN);
  await chain.mine(2);
  const { at } = await chain.head();
  const reader = readerAt({ ...t.context, at });
  const nodes = [{ id: 'anvil', url: chain.url, batches: true }];
  t.is(inShort(await reader.lookup(nodes, question(hash))), 'found');
  await chain.rpc('anvil_setChainId', 97);
  t.is(inShort(await reader.lookup(nodes, question(hash))), 'unavailable');
  t.deepEqual(failuresOf(reader), { anvil: { wrong_chain: 1 } });
  t.is(inShort(await reader.lookup(nodes, question(hash))), 'unavailable');
  await chain.rpc('anvil_setChainId', 56);
  t.is(inShort(await reader.lookup(nodes, question(hash))), 'found');
});

const otherHash = (n: number) => `0x${n.toString(16).padStart(64, 'd')}`;

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
