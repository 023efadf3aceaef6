/** Many questions at once, and answers that are too large to be read: what they cost, and whom. */
import { type Illness, startNodeProxy, withResult } from '../../helpers/network/node-proxy.js';
import { failuresOf, inShort, onChain, question, readerAt, twoNodes } from './ground.js';

const test = onChain();

const unknown = (n: number) => question(`0x${n.toString(16).padStart(64, 'e')}`);

/** Receipts of so many bytes for every transaction but one. */
const hugeBut =
  (hash: string, bytes = 1_100_000): Illness =>
  (call, answer) =>
    call.method === 'eth_getTransactionReceipt' && call.params[0] !== hash
      ? withResult(answer, { padding: 'x'.repeat(bytes) })
      : answer;

test.serial('concurrent identical lookups share one query for each receiver', async (t) => {
  const proxy = await startNodeProxy(t, t.context.chain);
  const reader = readerAt(t.context);
  const own = question(t.context.hash);
  const other = { ...own, receiver: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' };
  const looks = await Promise.all([own, own, own, other, own].map((one) => reader.lookup([proxy.node], one)));
  t.deepEqual(looks.map(inShort), ['found', 'found', 'found', 'recipient', 'found']);
  t.is(proxy.asked().length, 4);
  await reader.lookup([proxy.node], own);
  t.is(proxy.asked().length, 2, 'asked anew when the answer is there');
});

test.serial('waiting in the queue of a node does not count as slowness', async (t) => {
  const { first, nodes } = await twoNodes(t, 'slow');
  const reader = readerAt(t.context);
  const looks = await Promise.all(
    Array.from({ length: 200 }, (_, n) => reader.lookup(nodes.slice(0, 1), unknown(n))),
  );
  t.deepEqual(new Set(looks.map(inShort)), new Set(['not_found']));
  t.deepEqual(failuresOf(reader), { first: {} });
  t.is(first.asked().length, 200);
});

test.serial('lookups queued for a hanging node use another one instead', async (t) => {
  const { first, nodes } = await twoNodes(t, 'hang');
  // The well node answers 80 questions meanwhile, however busy the machine is.
  const reader = readerAt(t.context, { nodeMs: 5_000, totalMs: 30_000 });
  const looks = await Promise.all(Array.from({ length: 80 }, (_, n) => reader.lookup(nodes, unknown(n))));
  t.deepEqual(new Set(looks.map(inShort)), new Set(['not_found']));
  const asked = first.asked().length;
  t.true(asked >= 64 && asked < looks.length, `${asked} of ${looks.length} asked the one that hangs`);
});

test.serial('a node that was given less than its time is not put aside', async (t) => {
  const { first, nodes } = await twoNodes(t, 'hang');
  const short = readerAt(t.context, { totalMs: 1_500 });
  t.is(inShort(await short.lookup(nodes.slice(0, 1), unknown(1))), 'unavailable');
  first.be('none');
  first.asked();
  t.is(inShort(await short.lookup(nodes.slice(0, 1), unknown(2))), 'not_found');
  t.is(first.asked().length, 1, 'without a trial before');
});

test.serial('a receipt that is too large is not asked for again for minutes; its node is well', async (t) => {
  const { chain, hash } = t.context;
  const proxy = await startNodeProxy(t, chain);
  proxy.be(hugeBut(hash));
  const reader = readerAt(t.context);
  for (let time = 0; time < 3; time += 1) {
    t.like(await reader.lookup([proxy.node], unknown(1)), { outcome: 'unavailable', retryAfterS: 300 });
  }
  t.is(proxy.asked().length, 1);
  const own = question(hash);
  const looks = await reader.lookupMany([proxy.node], 56, [unknown(1), own, unknown(1), own]);
  t.deepEqual(looks.map(inShort), ['unavailable', 'found', 'unavailable', 'found']);
  t.is(proxy.asked().length, 2);
});

test.serial('an oversized answer of one node does not prevent asking the others', async (t) => {
  const { nodes } = await twoNodes(t, 'huge');
  t.is(inShort(await readerAt(t.context).lookup(nodes, question(t.context.hash))), 'found');
});

test.serial('many receipts that are too large cost a bounded number of requests', async (t) => {
  const { chain, hash } = t.context;
  const proxy = await startNodeProxy(t, chain);
  proxy.be(hugeBut(hash, 4_200_000));
  const questions = [question(hash), ...Array.from({ length: 15 }, (_, n) => unknown(n))];
  const looks = await readerAt(t.context).lookupMany([proxy.node], 56, questions);
  t.is(looks.map(inShort)[0], 'found', 'what was seen before comes first');
  t.true(looks.slice(1).every(({ outcome }) => outcome === 'unavailable'));
  t.is(proxy.asked().length, 14 + 2);
});

test.serial('the halves of a question that was too large share its one deadline', async (t) => {
  const huge = await startNodeProxy(t, t.context.chain);
  huge.be(hugeBut(t.context.hash, 4_200_000));
  const slow = await startNodeProxy(t, huge.node);
  slow.be('slow');
  const questions = Array.from({ length: 8 }, (_, n) => unknown(n));
  await readerAt(t.context, { totalMs: 900 }).lookupMany([slow.node], 56, questions);
  t.true(slow.asked().length <= 2, 'each takes half a second');
});
