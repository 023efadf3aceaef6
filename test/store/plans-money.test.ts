/** Nothing on the way of a payment in USDT, a bank's push or an id that can be guessed scans a table. */
import test from 'ava';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { brandContext } from '../../src/actions/brands/brand-context.js';
import { claimBankTransfer } from '../../src/actions/claims/claim-bank-transfer.js';
import { endHolds, recheckClaims } from '../../src/actions/claims/recheck-claims.js';
import { verifyClaim } from '../../src/actions/claims/verify-claim.js';
import { syncDevice } from '../../src/actions/relay/sync-device.js';
import { approveReview } from '../../src/actions/reviews/decide-review.js';
import { listReviews, showReview } from '../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../src/actions/sessions/create-session.js';
import { findCode, findPayment } from '../../src/actions/sessions/find-payment.js';
import { expireSessions } from '../../src/actions/sessions/transition-session.js';
import { dhakaIso } from '../../src/base/values/clock.js';
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
import { openBank, PAYER } from '../helpers/shop/bank.js';
import { addBank, hostedOrder, OPERATOR } from '../helpers/shop/hosted.js';
import { answer } from '../helpers/shop/scene.js';
import { openShop, WALLET } from '../helpers/shop/shop.js';
import { takeUsdt } from '../helpers/shop/usdt.js';
import { walletId, walletPayment } from '../helpers/shop/wallets.js';
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

for (const engine of engines) {
  test(`${engine}: every statement of bank QR finds its rows by an index`, async (t) => {
    const core = await openTestCore(t, engine, { clock: testClock() });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const bank = await openBank(watched, await openShop(watched));
    statements.clear();

    const [claimed, scanned, twins] = [await bank.order(), await bank.order(), await bank.order()];
    t.is(await bank.verify(claimed.id, '5678'), 'transaction_not_found');
    const body = bank.written({ reference: 'R1', status: 'PENDING' });
    for (const sent of [
      body,
      body,
      bank.written({ reference: 'R1' }),
      bank.written({ reference: 'R1', amount: '1' }),
    ]) {
      await bank.take(sent);
    }
    t.is(await bank.verify(claimed.id, PAYER), 'R1');
    await bank.push({ bill: scanned.gatewayReference });
    await bank.push({ payer: '*5678' });
    await bank.push({ payer: '*5678' });
    t.is(await bank.verify(twins.id, '5678'), 'under_review');
    t.is(await findCode(watched, '0'.repeat(32)), null);

    t.true(statements.size > 20, `${statements.size} statements were seen`);
    // Of targets of alerts there is a handful, and they are read when one is raised.
    const found = [...statements].filter(([text]) => !/from "alert_targets"/.test(text));
    await findByIndex(t, core, new Map(found));
  });
}

const reversal = (trxId: string) => `Tk500.00 of TxnId:${trxId} has been reversed from your A/C.`;

for (const engine of engines) {
  test(`${engine}: every statement about guesses, held claims and disputed money finds its rows by an index`, async (t) => {
    const clock = testClock();
    const core = await openTestCore(t, engine, { clock });
    const statements = new Map<string, readonly unknown[]>();
    const watched = recorded(core, statements);
    const shop = await openShop(watched);
    const brand = shop.brand.name;
    await setAccount(core, { brand, channel: 'mfs_c', type: 'personal', number: WALLET, who: OPERATOR });
    await addBank(core, brand);
    let count = 0;
    const receive = async (body: string) => {
      count += 1;
      const message = {
        id: `w${count}`,
        sender: '16216',
        body,
        received_at: dhakaIso(clock.now()),
        sim_slot: 1,
      };
      await syncDevice(watched, { device: shop.device, messages: [message], health: null });
    };
    statements.clear();

    const sessions = await Promise.all(Array.from({ length: 6 }, () => shop.order(50_000)));
    clock.advance(60_000);
    const paid = walletPayment('mfs_c', '500.00', clock.now());
    clock.advance(5_000);
    for (const [n, session] of sessions.entries()) {
      const id = n === 0 ? paid.trxId : walletId('mfs_c', clock.now() - 5_000, 40 + n);
      t.is(await answer(watched, shop, session, id, 'mfs_c'), 'transaction_not_found');
    }
    await receive(paid.text);
    clock.advance(31_000);
    t.is(await endHolds(watched), 1);
    const [guessed] = await listReviews(core, { state: 'OPEN', limit: 5 });
    t.is(guessed?.reason, 'may_be_guessed');
    await approveReview(watched, { id: guessed?.id ?? '', note: 'seen', who: OPERATOR });
    await receive(reversal(paid.trxId));
    const [disputed] = await listReviews(core, { state: 'OPEN', limit: 5 });
    t.is(disputed?.reason, 'disputed');
    await showReview(watched, disputed?.id ?? '');
    for (const text of ['FT1', 'FT-1']) {
      const sessionId = await hostedOrder(core, brand, 50_000);
      await claimBankTransfer(watched, { sessionId, text, slip: null });
      const open = await listReviews(core, { state: 'OPEN', limit: 5 });
      const id = open.find(({ payment }) => payment === sessionId)?.id ?? '';
      t.is(
        (await approveReview(watched, { id, note: 'seen', who: OPERATOR })).looks_like.length,
        text.length - 3,
      );
    }

    t.true(statements.size > 30, `${statements.size} statements were seen`);
    // Of targets of alerts there is a handful, and they are read when one is raised.
    const found = [...statements].filter(([text]) => !/from "alert_targets"/.test(text));
    await findByIndex(t, core, new Map(found));
  });
}
