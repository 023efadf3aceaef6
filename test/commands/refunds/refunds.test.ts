/** Refunds on the command line: what a shopkeeper reads, what scripts read, and how each refund ends. */
import test, { type ExecutionContext } from 'ava';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { createBrand, updateBrand } from '../../../src/actions/brands/change-brand.js';
import { createRefund } from '../../../src/actions/refunds/create-refund.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { simulatePayment } from '../../../src/actions/test-payments/simulate-payment.js';
import { type Failed, openCli } from '../../helpers/programs/cli.js';
import { answer, rows } from '../../helpers/shop/scene.js';
import { bkashId, bkashText, openShop } from '../../helpers/shop/shop.js';
import { openTestCore, testClock } from '../../helpers/stores/engines.js';

const who = 'test';

async function stage(t: ExecutionContext) {
  const kashbox = await openCli(t);
  const clock = testClock();
  const core = await openTestCore(t, 'sqlite', { folder: kashbox.home, clock });
  const shop = await openShop(core);
  let next = 0;
  const receive = async (taka: string) => {
    next += 1;
    const trxId = bkashId(clock.now(), next);
    await shop.receive(bkashText({ taka, trxId, at: clock.now() }));
    return trxId;
  };
  const paid = async () => {
    const session = await shop.order(50_000);
    const trxId = await receive('500.00');
    t.is(await answer(core, shop, session, trxId), 'completed');
    return { trxId, ...(await showPayment(core, session)) };
  };
  return { kashbox, clock, core, shop, receive, paid };
}

interface Refund {
  readonly id: string;
  readonly status: string;
}

test('a refund names payee and app, and closes with the id of the transfer', async (t) => {
  const { kashbox, core, paid } = await stage(t);
  const { id: session, gateway_reference: payment, trxId } = await paid();
  const returned = ['--amount', '১২০', '--note', 'One shirt came back'];
  const made = await kashbox('refunds', 'create', payment, ...returned);
  t.is(made.code, 0, made.stderr);
  t.regex(made.stdout, /\nSend Tk 120\.00 with bKash Send Money to 01900000001 from 01711000001\.\n/);
  t.regex(made.stdout, /\nKashbox completes the refund when the SMS of the transfer arrives\./);
  const all = await kashbox('refunds', 'create', trxId, '--note', 'The rest', '--json');
  const [rest] = all.json<(Refund & object)[]>();
  t.like(rest, {
    ...{ payment, session_id: session, transaction_id: trxId, amount: '380.00', payment_method: 'mfs_a' },
    ...{ pay_to: '01900000001', pay_to_shown: '01900000001', status: 'PENDING', note: 'The rest' },
    ...{ refund_transaction_id: null, completed_at: null },
  });
  const over = await kashbox('refunds', 'create', payment, '--note', 'Again', '--json');
  t.is(over.code, 4);
  t.is(over.json<Failed>().error.code, 'refund_exceeds_paid');
  t.is((await kashbox('refunds', 'list', '--pending', '--ndjson')).ndjson().length, 2);
  t.regex(
    (await kashbox('refunds', 'list', '--csv')).stdout,
    /^id,payment,session_id,transaction_id,amount,/,
  );
  t.regex((await kashbox('refunds', 'list')).stdout, /Alo Store, payment .* 380\.00 BDT {2}pending\n/);

  const id = rest?.id ?? '';
  const close = ['refunds', 'close', id, '--reference', 'DHL1AB2CD3', '--note', 'The phone was off'];
  const unsure = await kashbox(...close);
  t.is(unsure.code, 4);
  t.regex(unsure.stderr, /No SMS has reported the transfer DHL1AB2CD3\nNext: .*--force/);
  t.regex((await kashbox(...close, '--force')).stdout, /Tk 380\.00 was sent back to 01900000001\./);
  t.like((await kashbox('refunds', 'show', id.slice(0, 20), '--json')).json(), {
    status: 'COMPLETED',
    refund_transaction_id: 'DHL1AB2CD3',
  });
  t.is((await rows(core, 'sessions'))[0]?.refunded_paisa, 38_000);
  const pending = (await kashbox('refunds', 'list', '--pending', '--ndjson')).stdout;
  const cancelled = await kashbox.piped(pending, 'refunds', 'cancel', '-', '--note', 'Kept', '--json');
  t.like(cancelled.json<Refund[]>(), [{ status: 'CANCELLED' }]);
  t.regex((await kashbox('refunds', 'list', '--pending')).stdout, /^Nothing is listed\./);
});

test('a part of a failed payment goes back, and no other money completes the payment then', async (t) => {
  const { kashbox, clock, core, shop, receive } = await stage(t);
  const id = await shop.order(100_000, true);
  t.is(await answer(core, shop, id, await receive('300.00')), 'part');
  const early = createRefund(core, { of: id, note: 'Too early', who });
  await t.throwsAsync(early, { code: 'state_refused', message: /is still open/ });
  clock.advance(30 * 86_400_000);
  await expireSessions(core);
  const made = await kashbox('refunds', 'create', id, '--note', 'Expired', '--json');
  t.like(made.json<object[]>(), [{ amount: '300.00', pay_to: '01900000001' }]);
  clock.advance(60_000);
  const reference = await receive('700.00');
  const decision = ['--channel', 'mfs_a', '--reference', reference, '--note', 'Seen', '--force'];
  const approved = await kashbox('verifications', 'approve', id, ...decision);
  t.regex(approved.stderr, /goes back to its customer, so other money cannot complete it/);
});

test('money that an agent paid in needs a number, and own transfers need a word', async (t) => {
  const { kashbox, shop } = await stage(t);
  await shop.receive(
    'Cash In Tk 500.00 from 01711000099 successful. Fee Tk 0.00. Balance Tk 98,731.19. TrxID DHL9AB2CD4 at 21/08/2026 12:35',
    'Send Money Tk 50.00 to 01911000046 successful. Fee Tk 5.00. Balance Tk 98,676.19. TrxID DHL9AB2CD5 at 21/08/2026 12:35',
  );
  const made = await kashbox('refunds', 'create', 'DHL9AB2CD4', '--note', 'Nobody knows for what');
  t.regex(
    made.stdout,
    /The proof does not show who paid\. Get the number from the customer, then: kashbox refunds/,
  );
  t.notRegex(made.stdout, /01711000099/);
  const [refund] = (await kashbox('refunds', 'list', '--ndjson')).ndjson<Refund>();
  const updated = await kashbox('refunds', 'update', refund?.id ?? '', '--number', '01811000055');
  t.regex(updated.stdout, /Send Tk 500\.00 with bKash Send Money to 01811000055/);

  const listed = await kashbox('refunds', 'list', '--sent');
  t.regex(listed.stdout, /^DHL9AB2CD5 .* 50\.00 BDT with bKash \(mfs_a\) from 01711000001 to 01911000046\n/);
  const close = ['sms', 'close', 'DHL9AB2CD5', '--note', 'Salary'];
  t.is((await kashbox(...close)).code, 2);
  t.is((await kashbox(...close, '--as', 'own')).code, 0);
  t.regex((await kashbox('refunds', 'list', '--sent')).stdout, /^Nothing is listed\./);
  t.is((await kashbox('sms', 'reopen', 'DHL9AB2CD5', '--note', 'It was none')).code, 0);
  t.is((await kashbox('refunds', 'list', '--sent', '--ndjson')).ndjson().length, 1);
});

test('a refund of a test brand is completed immediately, and brands limit refunds by the API', async (t) => {
  const { kashbox, core, shop } = await stage(t);
  await createBrand(core, { merchant: shop.merchantId, name: 'Trial', test: true, who });
  const brand = await brandContext(core, 'Trial');
  const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
  const { id } = await createSession(core, { brand, hosted: null, ...customer, amountPaisa: 50_000 });
  await simulatePayment(core, { payment: id, play: 'exact', who });
  const [refund] = (await kashbox('refunds', 'create', id, '--note', 'Try', '--json')).json<Refund[]>();
  t.like(refund, { status: 'COMPLETED', closed_by: 'rule', fee: '0.00' });

  const limit = async (text: string) => {
    const updated = await kashbox('brands', 'update', 'Alo Store', '--api-refunds', text, '--json');
    return updated.json<{ api_refunds: string | null }>().api_refunds;
  };
  t.is(await limit('৫০০০'), '5000.00');
  t.is(await limit('off'), null);
  const none = updateBrand(core, { brand: 'Alo Store', apiRefunds: '0', who });
  await t.throwsAsync(none, { code: 'invalid_input' });
});
