/** USDT that goes back: the nodes prove that the shop has sent it, and to whom. */
import test, { type ExecutionContext } from 'ava';
import { closeRefund, updateRefund } from '../../../src/actions/refunds/change-refund.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import { startNodeProxy } from '../../helpers/network/node-proxy.js';
import {
  CUSTOMER,
  EXCHANGE,
  FAKE_USDT,
  SHOP,
  STRANGER,
  startTokenChain,
  USDT,
} from '../../helpers/outside/chain-token.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';
import { CREATE, openApi, VERIFY } from '../api.js';

const who = 'test';
const note = 'Out of stock';

async function scene(t: ExecutionContext<unknown>, engine: (typeof enginesOfTier)[number]) {
  const chain = await startTokenChain(t);
  const { node } = await startNodeProxy(t, chain);
  const api = await openApi(t, { engine, clock: { now: () => Date.now() } });
  await takeUsdt(api.core, { brand: 'Alo Store', nodes: [node] });
  const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount: 500 } })).json() as {
    readonly id: string;
    readonly methods: readonly { readonly name: string; readonly amount_usdt?: number }[];
  };
  const due = created.methods.find(({ name }) => name === 'bep20')?.amount_usdt;
  const units = parseUsdt(String(due)) ?? 0n;
  const paid = await chain.pay(units);
  await chain.mine(3);
  const body = { id: created.id, method: 'bep20', transaction_id: paid };
  t.is((await api.call(VERIFY, { body })).statusCode, 200);
  return { api, chain, units, paid, session: created.id };
}

for (const engine of enginesOfTier) {
  test(`${engine}: a refund in USDT is closed by the hash of the shop's own transfer, and by no other`, async (t) => {
    const { api, chain, units, paid, session } = await scene(t, engine);
    const { core } = api;
    const old = await chain.call({ from: SHOP, to: USDT }, 'transfer', [CUSTOMER, 1n]);
    const [refund] = await createRefund(core, { of: session, note, who });
    const id = refund?.id ?? '';
    t.is(refund?.pay_to, null, 'the address may be an exchange');
    const close = (reference: string) =>
      closeRefund(core, { id, reference, note, who }).then(
        ({ status }) => status,
        (error: unknown) => (isKashboxError(error) ? error.message.replace(/.*: /, '') : String(error)),
      );
    t.is(await close(old), `Refund ${id} has no address yet`);
    await updateRefund(core, { id, number: CUSTOMER, who });
    const send = async (from: string, to: string, token = USDT, value = units) => {
      const hash = await chain.call({ from, to: token }, 'transfer', [to, value]);
      await chain.mine(3);
      return hash;
    };
    await chain.call({ from: CUSTOMER, to: USDT }, 'transfer', [SHOP, units * 9n]);
    await chain.call({ from: CUSTOMER, to: USDT }, 'transfer', [STRANGER, units * 9n]);
    await chain.call({ to: FAKE_USDT }, 'mint', [SHOP, units]);
    const isNone = 'it does not send USDT from an address of the brand to the payee';
    t.is(await close(paid), isNone, 'the payment itself');
    t.is(await close(await send(STRANGER, CUSTOMER)), isNone, 'from another address');
    t.is(await close(await send(SHOP, EXCHANGE)), isNone, 'to another address');
    t.is(await close(await send(SHOP, CUSTOMER, FAKE_USDT)), isNone, 'another token');
    t.is(await close(await send(SHOP, CUSTOMER, USDT, units - 1n)), 'it is less than the refund');
    t.is(await close(`0x${'ab'.repeat(32)}`), 'no node knows it');
    const hash = await send(SHOP, CUSTOMER);
    t.is(await close(hash.toUpperCase().replace('0X', '0x')), 'COMPLETED');
    const [sent] = await core.store.read((db) => db.query.selectFrom('sent_money').selectAll().execute());
    t.like(sent, { reference: hash, sender: SHOP, units: String(units), amount_paisa: null });
    const again = await createRefund(core, { of: session, note, amountPaisa: 1, who }).catch(() => []);
    t.deepEqual(again, [], 'all has gone back');
  });

  test(`${engine}: a hash closes one refund, and no older transfer does`, async (t) => {
    const { api, chain, units, session } = await scene(t, engine);
    const { core } = api;
    const half = { of: session, note, who, number: CUSTOMER, amountPaisa: 25_000 };
    const [one] = await createRefund(core, half);
    const hash = await chain.call({ from: SHOP, to: USDT }, 'transfer', [CUSTOMER, units]);
    await chain.mine(3);
    const close = (id = '') => closeRefund(core, { id, reference: hash, note, who });
    t.is((await close(one?.id)).status, 'COMPLETED');
    const [two] = await createRefund(core, half);
    t.is((await t.throwsAsync(close(two?.id), { message: /has completed refund/ }))?.name, 'KashboxError');
    await chain.pay(units);
    const later = await chain.call({ from: SHOP, to: USDT }, 'transfer', [CUSTOMER, units]);
    await chain.mine(3);
    await core.store.write((db) =>
      db.query
        .updateTable('refunds')
        .set({ created_at: Date.now() + 10 * 60_000 })
        .where('id', '=', two?.id ?? '')
        .execute(),
    );
    const closing = closeRefund(core, { id: two?.id ?? '', reference: later, note, who });
    await t.throwsAsync(closing, { message: /it is older than the refund/ });
  });
}
