/** What speaks against money is said to whoever approves it, and what was seen of it stays known. */
import test, { type ExecutionContext } from 'ava';
import { sendToSeller } from '../../../src/actions/claims/send-to-seller.js';
import { approvePayment } from '../../../src/actions/reviews/decide-review.js';
import { showReview } from '../../../src/actions/reviews/list-reviews.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { loadDashboard } from '../../../src/actions/upkeep/load-dashboard.js';
import { approvedLines, reviewCard, reviewSheet } from '../../../src/cli/text/review-text.js';
import { openDialog } from '../../../src/monitor/dialog.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank } from '../../helpers/shop/bank.js';
import { codeOf, hostedScene, OPERATOR, onlyReview } from '../../helpers/shop/hosted.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { engines, enginesOfTier } from '../../helpers/stores/engines.js';

const CHEAT = '01799999999';
const reversal = (trxId: string) =>
  `Tk 900.00 received from 01900000001 has been reversed. Fee Tk 0.00. Balance Tk 98,231.19. TrxID ${trxId} at 21/08/2026 12:50`;
const REFUNDED = `Send Money Tk 500.00 to ${CHEAT} successful. Fee Tk 5.00. Balance Tk 1,000.00. TrxID DHL9SENT01 at 21/08/2026 12:30`;
/** Of another day than its text says, so that a person is asked. */
const DOUBTED = 'DHK4TYP001';

async function openStage(t: ExecutionContext<unknown>, engine: Engine) {
  const stage = await hostedScene(t, engine);
  const { core, shop } = stage;
  const take = (sender: string, text: string, recipient = WALLET) =>
    addSms(core, { merchant: shop.merchantId, recipient, sender, text, who: 'test' });
  const give = (payment: string, reference: string, force = false) => {
    const by = { note: 'seen in the app', who: OPERATOR, force };
    return approvePayment(core, { payment, method: 'mfs_a', reference, ...by });
  };
  return { ...stage, take, give };
}

for (const engine of enginesOfTier) {
  test(`${engine}: an id in a forged SMS is approved only after confirmation, and the warning comes first`, async (t) => {
    const { core, money, order, give, take } = await openStage(t, engine);
    const stageRows = () => core.store.read((db) => db.query.selectFrom('reviews').selectAll().execute());
    const { trxId, text } = money('78.00');
    await take(CHEAT, text);
    const session = await order(7_800);
    const refused = await t.throwsAsync(give(session, trxId), { code: 'warning_unconfirmed' });
    t.regex(refused?.message ?? '', /is a forgery/);
    t.deepEqual((await stageRows()).length, 0);
    const approved = await give(session, trxId, true);
    t.like(approved, { state: 'APPROVED', payment_status: 'COMPLETED', unseen: true });
    t.like(approved.named_in, { sender: CHEAT, kind: 'spoofed' });
    const [warning, ...others] = approved.warnings;
    t.deepEqual(others, []);
    t.regex(
      warning ?? '',
      new RegExp(`^An SMS with ${trxId} came at .* from ${CHEAT} and is a forgery: .*sms_`),
    );
    t.is(approvedLines(approved)[0], `WARNING: ${warning}`);
    const clean = await give(await order(7_800), money('78.00').trxId);
    t.deepEqual([clean.unseen, clean.named_in, clean.warnings], [true, null, []]);
  });

  test(`${engine}: the id of money that was sent, such as a refund, is approved only after confirmation`, async (t) => {
    const { order, give, take } = await openStage(t, engine);
    await take('bKash', REFUNDED);
    const session = await order(50_000);
    await t.throwsAsync(give(session, 'DHL9SENT01'), { code: 'warning_unconfirmed', message: /DHL9SENT01/ });
    t.like(await give(session, 'DHL9SENT01', true), { named_in: { kind: 'outgoing' } });
  });

  test(`${engine}: a claim in a forgery is shown with it, to reject it, also on the dashboard`, async (t) => {
    const stage = await openStage(t, engine);
    const { core, clock, money, order, claim, take } = stage;
    const { trxId, text } = money('78.00');
    await take(CHEAT, text);
    const sessionId = await order(7_800);
    await claim(sessionId, trxId);
    clock.advance(120_000);
    await sendToSeller(core, { sessionId, channel: 'mfs_a', text: trxId, note: '' });
    const shown = await showReview(core, await onlyReview(stage));
    const sheet = reviewSheet(shown, clock.now()).join('\n');
    t.regex(sheet, /^WARNING: An SMS with .* is a forgery/m);
    t.regex(sheet, /verifications reject rev_\w+ --note "forged SMS"/);
    t.false(sheet.includes('verifications approve'));
    const [review] = (await loadDashboard(core)).reviews.oldest;
    t.like(review?.named_in, { sender: CHEAT });
    const ask = review === undefined ? '' : openDialog({ act: 'approve', review });
    if (typeof ask === 'string') return t.fail('nothing is asked');
    t.regex(ask.question.join('\n'), new RegExp(`from ${CHEAT} and is a forgery`));
  });

  test(`${engine}: doubts of an SMS and a number of another brand are said when it is approved`, async (t) => {
    const stage = await openStage(t, engine);
    const { core, money, order, claim, give, take, open } = stage;
    await take('bKash', money('250.00', { trxId: DOUBTED }).text, '01711000077');
    const given = await give(await order(25_000), DOUBTED);
    t.is(given.warnings.length, 2);
    t.regex(given.warnings[0] ?? '', /^The SMS is suspicious: .*Compare it with the wallet's own app\.$/);
    t.is(
      given.warnings[1],
      'It was received on 01711000077, and Alo Store receives bKash payments on 01711000001.',
    );
    t.is(approvedLines(given).filter((line) => line.startsWith('WARNING: ')).length, 2);

    const second = 'DHK4TYP002';
    await take('bKash', money('260.00', { trxId: second }).text);
    t.is(await claim(await order(26_000), second), 'under_review');
    const [listed] = await open();
    t.is(listed?.reason, 'sms_doubtful');
    t.true((listed?.doubts.length ?? 0) > 0);
    const ask = listed === undefined ? '' : openDialog({ act: 'approve', review: listed });
    if (typeof ask === 'string') return t.fail('nothing is asked');
    t.regex(
      ask.question.join('\n'),
      /arrived with reference DHK4TYP002 \(bKash\) to 01711000001; .*\nThe SMS is suspicious: /,
    );
    const sheet = reviewSheet(await showReview(core, listed?.id ?? ''), 0).join('\n');
    t.false(sheet.includes('WARNING'), 'the reasons stand below the SMS');
  });

  test(`${engine}: details of received money stay known after an operator assigned it to a payment`, async (t) => {
    const { core, shop, clock, money, order, give } = await openStage(t, engine);
    const { trxId, text } = money('260.00');
    await shop.receive(text);
    const given = await give(await order(26_000), trxId);
    t.like(given, {
      reason: 'seen_by_operator',
      unseen: false,
      seen_amount: '260.00',
      seen_from: '01900000001',
      seen_on: WALLET,
    });
    t.is(given.sms?.body, text);
    t.deepEqual([given.doubts, given.warnings], [[], []]);
    t.regex(reviewSheet(given, clock.now()).join('\n'), /^Seen +260\.00 BDT from 01900000001$/m);
    t.regex(reviewCard(given, clock.now()).join('\n'), /seen: 260\.00 BDT from 01900000001/);
    const word = await give(await order(26_000), 'DHK1111111');
    t.like(word, { unseen: true, seen_amount: null, seen_at: null, sms: null });
    t.regex(reviewSheet(word, clock.now()).join('\n'), /^Seen +nothing$/m);

    const bank = await openBank(core, shop);
    await bank.push({ reference: 'RRN77', payer: undefined });
    const { id: payment } = await bank.order();
    const by = { note: 'in the statement', who: OPERATOR };
    t.like(await approvePayment(core, { payment, method: 'qr_interbank', reference: 'RRN77', ...by }), {
      unseen: false,
      seen_amount: '500.00',
    });
  });

  test(`${engine}: rejects the placeholder for a reason in printed commands as a reason`, async (t) => {
    const stage = await openStage(t, engine);
    const { order, approve } = stage;
    await stage.bank(await order(50_000), 'FT2611220102');
    const id = await onlyReview(stage);
    for (const note of ['WHY', ' WHY ', '…']) {
      t.is(await codeOf(approve(id, { note })), 'invalid_input', note);
    }
    t.is((await approve(id, { note: 'Why not: it is in the statement' })).state, 'APPROVED');
  });
}

for (const engine of engines) {
  test(`${engine}: a reversal and an approval of the same money at once never end in a payment that nobody looks at`, async (t) => {
    const stage = await openStage(t, engine);
    const { core, shop, money, order, claim, approve } = stage;
    const { trxId, text } = money('900.00');
    await shop.receive(text);
    await claim(await order(50_000), trxId);
    const id = await onlyReview(stage);
    const { facts_version: facts } = await showReview(core, id);
    const [outcome] = await Promise.all([codeOf(approve(id, { facts })), shop.receive(reversal(trxId))]);
    const review = await showReview(core, id);
    t.is(review.state, 'OPEN');
    if (outcome === 'facts_changed') t.is(review.payment_status, 'PENDING');
    else t.like(review, { reason: 'disputed', payment_status: 'COMPLETED' });
  });
}

for (const engine of enginesOfTier) {
  test(`${engine}: an approval on facts that have changed, or against a warning, changes nothing`, async (t) => {
    const stage = await openStage(t, engine);
    const { core, shop, money, order, claim, approve } = stage;
    const { trxId, text } = money('900.00');
    await shop.receive(text);
    const session = await order(50_000);
    t.is(await claim(session, trxId), 'under_review');
    const id = await onlyReview(stage);
    const before = await showReview(core, id);
    t.deepEqual(
      before.facts.map(({ code }) => code),
      ['seen', 'more'],
    );
    t.regex(
      before.facts[0]?.text ?? '',
      /^Seen: 900\.00 BDT from 01900000001 to 01711000001 at .* from bKash/,
    );
    t.is(
      (await showReview(core, id)).facts_version,
      before.facts_version,
      'the same facts, the same version',
    );
    await shop.receive(reversal(trxId));
    const after = await showReview(core, id);
    t.true(after.facts.some(({ code, level }) => code === 'reversed' && level === 'warning'));
    t.regex(reviewSheet(after, 0).join('\n'), /approve rev_\w+ --force --note/);
    t.is(await codeOf(approve(id, { facts: before.facts_version })), 'facts_changed');
    t.is(await codeOf(approve(id, { facts: before.facts_version, force: true })), 'facts_changed');
    t.is(await codeOf(approve(id)), 'warning_unconfirmed');
    t.is((await showReview(core, id)).state, 'OPEN');
    t.is((await approve(id, { facts: after.facts_version })).payment_status, 'COMPLETED');
  });
}
