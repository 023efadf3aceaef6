/** What a customer may say of a bank transfer, and the slip that goes with it. */
import { createHash } from 'node:crypto';
import test from 'ava';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { disableAccount } from '../../../src/actions/accounts/set-account.js';
import { loadSlip, showReview } from '../../../src/actions/reviews/list-reviews.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { MAX_SLIP_BYTES } from '../../../src/domain/reviews/slip.js';
import { codeOf, hostedScene, onlyReview, pngOf } from '../../helpers/shop/hosted.js';
import { rows } from '../../helpers/shop/scene.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;

for (const engine of engines) {
  test(`${engine}: a slip of two MiB is kept and read back byte for byte`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    const slip = pngOf(MAX_SLIP_BYTES);
    t.is(await stage.bank(id, 'FT1', slip), 'under_review');
    const review = await onlyReview(stage);
    const { mediaType, bytes } = await loadSlip(stage.core, review);
    t.is(mediaType, 'image/png');
    t.true(bytes.equals(slip));
    t.like(await showReview(stage.core, review), {
      slip_type: 'image/png',
      slip_bytes: MAX_SLIP_BYTES,
      slip_sha256: createHash('sha256').update(slip).digest('hex'),
    });
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: a slip may come later, and the first one stays`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    await stage.bank(id, 'FT1');
    const review = await onlyReview(stage);
    t.is(await codeOf(loadSlip(stage.core, review)), 'not_found');
    const pdf = Buffer.from('%PDF-1.7 a statement');
    t.is(await stage.bank(id, 'FT1', pdf), 'under_review');
    t.is(await stage.bank(id, 'FT1', pngOf(100)), 'under_review');
    const kept = await loadSlip(stage.core, review);
    t.is(kept.mediaType, 'application/pdf');
    t.true(kept.bytes.equals(pdf));
  });

  test(`${engine}: a slip of another kind, or one byte too large, is refused and leaves nothing`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    const html = Buffer.from('<html><script>alert(1)</script>');
    t.is(await stage.bank(id, 'FT1', html), 'slip_unreadable');
    t.is(await stage.bank(id, 'FT1', Buffer.from('GIF89a')), 'slip_unreadable');
    t.is(await stage.bank(id, 'FT1', Buffer.alloc(0)), 'slip_unreadable');
    t.is(await stage.bank(id, 'FT1', pngOf(MAX_SLIP_BYTES + 1)), 'slip_too_large');
    t.deepEqual(await rows(stage.core, 'reviews'), []);
    t.like(await showPayment(stage.core, id), { status: 'PENDING', reason: 'initiated' });
  });

  test(`${engine}: rejects an invalid reference and reads Bangla digits as digits`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    for (const text of ['', '   ', '<b>1</b>', 'x'.repeat(65), '\u0000']) {
      t.is(await stage.bank(id, text), 'no_reference', JSON.stringify(text));
    }
    t.is(await stage.bank(id, 'এফটি ১২৩'), 'under_review');
    const [review] = await stage.open();
    t.is(review?.reference, 'এফটি 123');
  });

  test(`${engine}: a payment takes five different transfers, and a sixth is refused`, async (t) => {
    const stage = await hostedScene(t, engine);
    const id = await stage.order(50_000);
    for (let at = 1; at <= 5; at += 1) t.is(await stage.bank(id, `FT${at}`), 'under_review');
    t.is(await stage.bank(id, 'FT6'), 'too_many_attempts');
    t.is(await stage.bank(id, 'FT5'), 'under_review', 'one of the five again is no sixth');
    t.is((await stage.open()).length, 5);
  });

  test(`${engine}: rejects a transfer without a bank account or for an unknown payment`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock } = stage;
    const [one, two] = [await stage.order(50_000), await stage.order(50_000)];
    await cancelSession(core, one);
    t.is(await stage.bank(one, 'FT0'), 'under_review', 'who cancelled too soon is heard');
    t.is(await stage.bank('f'.repeat(32), 'FT1'), 'over');
    clock.advance(2 * HOUR);
    t.is(await stage.bank(two, 'FT3'), 'under_review', 'who paid in the last minute may still say so');
    const accounts = await listAccounts(core, { disabledToo: false });
    const bank = accounts.find((account) => account.channel === 'bank')?.id ?? '';
    await disableAccount(core, { id: bank, who: 'test' });
    clock.advance(HOUR);
    t.is(await stage.bank(await stage.order(50_000), 'FT4'), 'method_unavailable');
  });

  test(`${engine}: a customer can cancel an open payment, but not one under review`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, clock } = stage;
    const [open, reviewed, over] = [
      await stage.order(50_000),
      await stage.order(50_000),
      await stage.order(50_000),
    ];
    await stage.bank(reviewed, 'FT1');
    t.true(await cancelSession(core, open));
    t.false(await cancelSession(core, open), 'once');
    t.like(await showPayment(core, open), { status: 'FAILED', reason: 'cancelled' });
    t.false(await cancelSession(core, reviewed));
    t.like(await showPayment(core, reviewed), { status: 'PENDING', reason: 'review' });
    clock.advance(HOUR);
    t.false(await cancelSession(core, over));
    t.like(await showPayment(core, over), { status: 'FAILED', reason: 'expired' });
    t.false(await cancelSession(core, 'f'.repeat(32)));
    t.false(await cancelSession(core, await stage.shop.order(50_000)), 'a headless payment is the shop’s');
  });

  test(`${engine}: money for a cancelled payment goes to review, where it can still be completed`, async (t) => {
    const stage = await hostedScene(t, engine);
    const { core, shop, money } = stage;
    const id = await stage.order(50_000);
    const { trxId, text } = money('500.00');
    t.is(await stage.claim(id, trxId), 'waiting');
    t.true(await cancelSession(core, id));
    await shop.receive(text);
    t.like(await showPayment(core, id), { status: 'FAILED', reason: 'cancelled' });
    t.deepEqual(await rows(core, 'transactions'), []);
    const review = await onlyReview(stage);
    t.is((await showReview(core, review)).reason, 'late');
    t.is((await stage.approve(review)).payment_status, 'COMPLETED');
  });
}
