/** An address is public: another merchant who names it as theirs takes neither amounts nor payments away. */

import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import { checkTenants } from '../../../src/actions/doctor/check-shops.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { systemClock } from '../../../src/base/values/clock.js';
import { parseUsdt } from '../../../src/base/values/usdt.js';
import { inEnglish } from '../../helpers/in-english.js';
import { startNodeProxy } from '../../helpers/network/node-proxy.js';
import { SHOP, startTokenChain } from '../../helpers/outside/chain-token.js';
import { takeUsdt } from '../../helpers/shop/usdt.js';
import { CREATE, openApi, VERIFY } from '../api.js';

const who = 'test';

async function scene(t: ExecutionContext<unknown>) {
  const chain = await startTokenChain(t);
  const node = await startNodeProxy(t, chain);
  const api = await openApi(t, { clock: systemClock });
  const { core } = api;
  await takeUsdt(core, { brand: 'Alo Store', nodes: [node.node] });
  await createMerchant(core, { name: 'Thief Store', allowIps: [], who });
  await setRate(core, { brand: 'Thief Store', rate: '120', who });
  await setAccount(core, { brand: 'Thief Store', channel: 'bep20', number: SHOP, who });
  const thief = await brandContext(core, 'Thief Store');
  const stolen = (amountPaisa: number) =>
    createSession(core, {
      brand: thief,
      hosted: null,
      cusName: 'T',
      cusEmail: '',
      amountPaisa,
      metaJson: null,
    });
  const order = async (amount: number) => {
    const created = (await api.call(CREATE, { body: { cus_name: 'Customer', amount } })).json() as {
      readonly id: string;
      readonly methods: readonly { readonly name: string; readonly amount_usdt: number }[];
    };
    const usdt = created.methods.find(({ name }) => name === 'bep20')?.amount_usdt;
    return { id: created.id, usdt };
  };
  const verify = async (id: string, hash: string) =>
    (await api.call(VERIFY, { body: { id, method: 'bep20', transaction_id: hash } })).statusCode;
  return { core, chain, thief, stolen, order, verify };
}

test('sessions of another merchant hold no amounts at an address that is named as theirs', async (t) => {
  const { stolen, order } = await scene(t);
  for (let n = 0; n < 510; n += 1) await stolen(120_000);
  t.is((await order(1_200)).usdt, 10, 'the first amount is free here');
});

test('a transfer credited to another merchant needs manual review and is not lost', async (t) => {
  const { core, chain, thief, stolen, order, verify } = await scene(t);
  const [mine, theirs] = [await order(1_200), await stolen(120_000)];
  const hash = await chain.pay(parseUsdt('10') ?? 0n);
  await chain.mine(3);
  const claim = { brand: thief, sessionId: theirs.id, method: 'bep20', reference: hash } as const;
  t.is((await verifyClaim(core, claim)).outcome, 'completed');
  t.is(await verify(mine.id, hash), 202);
  const [review] = await listReviews(core, { state: 'OPEN', limit: 5 });
  t.like(review, { reason: 'other_merchant', payment: mine.id });
  const [check] = await inEnglish(checkTenants(core));
  t.like(check, { state: 'fail', name: `account ${SHOP}` });
});
