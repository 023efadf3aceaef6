/** Nothing on the way of a payment in USDT, or of a claim that waits for one, scans a table. */
import test from 'ava';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { brandContext } from '../../src/actions/brands/brand-context.js';
import { recheckClaims } from '../../src/actions/claims/recheck-claims.js';
import { verifyClaim } from '../../src/actions/claims/verify-claim.js';
import { createSession } from '../../src/actions/sessions/create-session.js';
import { findPayment } from '../../src/actions/sessions/find-payment.js';
import { expireSessions } from '../../src/actions/sessions/move-session.js';
import { parseUsdt } from '../../src/base/values/usdt.js';
import type { Channel } from '../../src/domain/accounts/channels.js';
import { startTokenChain } from '../helpers/outside/chain-token.js';
import {
  EXCHANGE_KEY,
  EXCHANGE_SECRET,
  EXCHANGE_USER,
  openExchangeServer,
  paidRow,
} from '../helpers/outside/exchange-server.js';
import { openShop } from '../helpers/shop/shop.js';
import { takeUsdt } from '../helpers/shop/usdt.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, recorded } from '../helpers/stores/plans.js';

for (const engine of engines) {
  test(`${engine}: every statement of chain and exchange finds its rows by an index`, async (t) => {
    const clock = testClock(Date.now());
    const core = await openTestCore(t, engine, { clock });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const chain = await startTokenChain(t);
    const exchange = await openExchangeServer(t, () => clock.now());
    const { brand: own } = await openShop(core);
    await takeUsdt(core, { brand: own.name, nodes: [chain] });
    await setAccount(core, {
      brand: own.name,
      channel: 'exchange_pay',
      type: 'personal',
      number: EXCHANGE_USER,
      details: { base_url: exchange.url },
      credentials: { key: EXCHANGE_KEY, secret: EXCHANGE_SECRET },
      who: 'test',
    });
    const brand = await brandContext(core, own.name);
    const order = () =>
      createSession(watched, {
        brand,
        hosted: null,
        cusName: 'Customer',
        cusEmail: '',
        amountPaisa: 50_000,
        metaJson: null,
      });
    const dueOf = ({ methods }: Awaited<ReturnType<typeof order>>) =>
      parseUsdt(String(methods.find(({ name }) => name === 'bep20')?.amount_usdt)) ?? 0n;
    const verify = (sessionId: string, method: Channel, reference: string) =>
      verifyClaim(watched, { brand, sessionId, method, reference }).then(
        ({ outcome }) => outcome,
        (error: { readonly code: string }) => error.code,
      );

    const [exact, over, waiting, ordered, unseen] = [
      await order(),
      await order(),
      await order(),
      await order(),
      await order(),
    ];
    const paid = await chain.pay(dueOf(exact));
    const more = await chain.pay(dueOf(over) * 2n);
    await chain.mine(3);
    t.is(await verify(exact.id, 'bep20', paid), 'completed');
    t.is(await verify(exact.id, 'bep20', paid), 'completed');
    t.is(await verify(over.id, 'bep20', more), 'under_review');
    t.is(await verify(waiting.id, 'bep20', paid), 'already_credited');
    const late = await chain.pay(dueOf(waiting));
    t.is(await verify(waiting.id, 'bep20', late), 'transaction_not_final');
    t.is(await verify(unseen.id, 'exchange_pay', '999000000000000'), 'transaction_not_found');
    const orderId = '331726482920497152';
    exchange.rows.push(paidRow(clock.now(), { orderId, transactionId: 'M_P_1' }));
    clock.advance(3_000);
    t.is(await verify(ordered.id, 'exchange_pay', orderId), 'completed');
    t.is((await findPayment(watched, { brand, reference: orderId })).status, 'COMPLETED');
    await chain.mine(3);
    t.true((await recheckClaims(watched)).taken >= 2);
    t.is(await verify(waiting.id, 'bep20', late), 'completed');
    clock.advance(3 * 3_600_000);
    await expireSessions(watched);

    t.true(statements.size > 30, `${statements.size} statements were seen`);
    await findByIndex(t, core, statements);
  });
}
