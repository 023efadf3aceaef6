/** Nothing on the way of an id that can be guessed, or of money that goes back, scans a table. */
import test from 'ava';
import { setAccount } from '../../src/actions/accounts/set-account.js';
import { claimBankTransfer } from '../../src/actions/claims/claim-bank-transfer.js';
import { endHolds } from '../../src/actions/claims/recheck-claims.js';
import { syncDevice } from '../../src/actions/relay/sync-device.js';
import { approveReview } from '../../src/actions/reviews/decide-review.js';
import { listReviews, showReview } from '../../src/actions/reviews/list-reviews.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { addBank, hostedOrder, OPERATOR } from '../helpers/shop/hosted.js';
import { answer } from '../helpers/shop/scene.js';
import { openShop, WALLET } from '../helpers/shop/shop.js';
import { walletId, walletPayment } from '../helpers/shop/wallets.js';
import { engines, openTestCore, testClock } from '../helpers/stores/engines.js';
import { findByIndex, recorded } from '../helpers/stores/plans.js';

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
