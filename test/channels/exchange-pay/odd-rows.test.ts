/** Rows of the history that cannot be read: each may hide only what it could be. */
import test, { type ExecutionContext } from 'ava';
import type { Lookup } from '../../../src/channels/channel.js';
import { paidRow } from '../../helpers/outside/exchange-server.js';
import { openGround } from './ground.js';

const said = (look: Lookup) => (look.outcome === 'refused' ? look.about : look.outcome);
const NO_IDS = { transactionId: undefined, orderId: undefined };
const seconds = (ms: number) => String(Math.floor(ms / 1_000));

/** A good row beside the odd one, each a minute old. */
async function beside(t: ExecutionContext<unknown>, fields: Readonly<Record<string, unknown>>) {
  const ground = await openGround(t);
  const at = ground.now - 60_000;
  ground.exchange.rows.push(
    paidRow(at, { transactionId: 'P_GOOD', orderId: '1111111111' }),
    paidRow(at, fields),
  );
  return {
    ...ground,
    ask: async (id: string) => said(await ground.reader.lookup(ground.history, ground.asking(id))),
  };
}

const harmless: [what: string, fields: Record<string, unknown>][] = [
  ['a payout without an id', { ...NO_IDS, orderType: 'PAYOUT' }],
  ['a gift without a time', { orderType: 'CRYPTO_BOX', transactionId: 'P_ODD', transactionTime: undefined }],
  [
    'a remittance that tells seconds',
    { orderType: 'REMITTANCE', transactionId: 'P_ODD', transactionTime: seconds(1.8e12) },
  ],
  ['a refund without ids', { ...NO_IDS, orderType: 'PAY_REFUND' }],
  ['a kind that nobody knows, without anything', { ...NO_IDS, orderType: 'NEW', transactionTime: undefined }],
  ['a payment without a time but with both its ids', { transactionId: 'P_ODD', transactionTime: undefined }],
];
for (const [what, fields] of harmless) {
  test(`${what} changes nothing for others, who find theirs or learn that it is not there`, async (t) => {
    const { ask } = await beside(t, fields);
    t.is(await ask('P_GOOD'), 'found');
    t.is(await ask('1111111111'), 'found');
    t.is(await ask('P_NONE'), 'not_found');
  });
}

const hiding: [what: string, fields: Record<string, unknown>][] = [
  ['a payment without ids', NO_IDS],
  ['a payment of a shop without ids', { ...NO_IDS, orderType: 'PAY' }],
  [
    'a payment with one id and no time',
    { transactionId: 'P_ODD', orderId: undefined, transactionTime: seconds(1.8e12) },
  ],
  ['a row without kind and ids', { ...NO_IDS, orderType: undefined }],
  ['a row without kind, ids and time', { ...NO_IDS, orderType: undefined, transactionTime: undefined }],
];
for (const [what, fields] of hiding) {
  test(`${what} may be what is looked for, so "not there" is not said; others find theirs`, async (t) => {
    const ground = await beside(t, fields);
    t.is(await ground.ask('P_GOOD'), 'found');
    t.is(await ground.ask('P_NONE'), 'unavailable');
    // The same where the row lies in what is not read anew.
    ground.now += 7 * 60_000;
    const question = { id: 'P_NONE', notBefore: ground.now - 12 * 60_000 };
    t.is((await ground.reader.lookup(ground.history, question)).outcome, 'unavailable');
  });
}

test('looking up a payment without a readable time returns unavailable', async (t) => {
  for (const transactionTime of [undefined, 'soon', seconds(1.8e12)]) {
    const { ask } = await beside(t, { transactionId: 'P_ODD', orderId: '2222222222', transactionTime });
    t.is(await ask('P_ODD'), 'unavailable');
    t.is(await ask('2222222222'), 'unavailable');
  }
});

test('a payment without ids that is older than a session allows does not hide the one of that session', async (t) => {
  const { now, reader, history } = await beside(t, NO_IDS);
  const later = { id: 'P_NONE', notBefore: now + 4 * 60_000 + 1 };
  t.is((await reader.lookup(history, later)).outcome, 'not_found');
});

test('a refunded payment stays refunded, even if the refund has no time', async (t) => {
  const refund = {
    orderType: 'PAY_REFUND',
    transactionId: 'P_BACK',
    orderId: '1111111111',
    transactionTime: undefined,
  };
  const ground = await beside(t, refund);
  t.is(await ground.ask('P_GOOD'), 'not_incoming');
  ground.now += 7 * 60_000;
  const question = { id: 'P_GOOD', notBefore: ground.now - 12 * 60_000 };
  t.is(said(await ground.reader.lookup(ground.history, question)), 'not_incoming');
});
