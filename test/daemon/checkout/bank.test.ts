/** A customer says that the money was transferred to a bank account, with or without a slip. */
import test, { type ExecutionContext } from 'ava';
import { BN } from '../../../daemon/checkout/texts/bn.js';
import { EN } from '../../../daemon/checkout/texts/en.js';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { approveReview } from '../../../src/actions/reviews/decide-review.js';
import { listReviews, loadSlip } from '../../../src/actions/reviews/list-reviews.js';
import { MAX_SLIP_BYTES } from '../../../src/domain/reviews/slip.js';
import { multipart, openBrowser, openCheckout, stateOf } from './browser.js';

const PNG = Buffer.concat([
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
  Buffer.alloc(500, 1),
]);

async function openBank(t: ExecutionContext<unknown>, env: Record<string, string> = {}) {
  const checkout = await openCheckout(t, { env });
  await setAccount(checkout.core, {
    brand: 'Alo Store',
    channel: 'bank',
    type: 'main',
    number: '1234567890123',
    details: { bank_name: 'City Bank', holder: 'Alo Store Ltd' },
    who: 'test',
  });
  const reviews = async () => (await listReviews(checkout.core, { state: 'OPEN', limit: 100 })).length;
  return { ...checkout, reviews };
}

test('a transfer with a slip needs manual review, and the customer returns to the shop as pending', async (t) => {
  const { browser, open, core } = await openBank(t);
  const page = await open();
  const answer = await browser.upload(page, { reference: 'ft 2608/77' }, PNG);
  t.deepEqual([answer.statusCode, answer.headers.location], [303, `${page}?now=1`]);
  const pending = await browser.visit(`${page}?now=1`);
  t.is(stateOf(pending), 'review');
  t.regex(
    pending.body,
    /url=https:\/\/shop\.example\.com\/done\?order=7&amp;paymentMethod=bank&amp;transactionId=[0-9A-Z]{12}&amp;paymentAmount=500\.00&amp;paymentFee=0\.00&amp;status=pending"/,
  );
  const [review] = await listReviews(core, { state: 'OPEN', limit: 1 });
  t.is(review?.reference, 'FT 2608/77');
  const slip = await loadSlip(core, review?.id ?? '');
  t.true(slip.bytes.equals(PNG));
  await approveReview(core, { id: review?.id ?? '', note: 'seen', who: 'test' });
  t.is(stateOf(await browser.visit(page)), 'completed');
});

test('a slip is optional: an empty file field or a form without a file is accepted', async (t) => {
  const { browser, open, reviews } = await openBank(t);
  t.is((await browser.upload(await open(), { reference: 'FT1' })).statusCode, 303);
  t.is((await browser.submit(await open(), 'bank', { reference: 'FT2' })).statusCode, 303);
  t.is(await reviews(), 2);
});

test('an invalid slip, one that is too large or a missing reference returns the reason and the text', async (t) => {
  const { browser, open, reviews } = await openBank(t);
  const page = await open();
  const tries: [Readonly<Record<string, string>>, Buffer][] = [
    [{ reference: 'TYPED1' }, Buffer.from('<svg onload=alert(1)>')],
    [{ reference: 'TYPED1' }, Buffer.concat([PNG, Buffer.alloc(MAX_SLIP_BYTES)])],
    [{ reference: '***TYPED1' }, PNG],
  ];
  for (const [fields, slip] of tries) {
    const answer = await browser.upload(page, fields, slip);
    t.is(answer.statusCode, 422);
    t.true(answer.body.includes('TYPED1'));
    t.regex(answer.body, /role="alert"/);
  }
  const whole = Buffer.concat([PNG, Buffer.alloc(MAX_SLIP_BYTES - PNG.length)]);
  t.is(await reviews(), 0);
  t.is(
    (await browser.upload(page, { reference: 'TYPED1' }, whole)).statusCode,
    303,
    'a slip of 2 MiB is not',
  );
});

test('an upload that is far too large, or does not say how large it is, is not read', async (t) => {
  const { app, browser, open, reviews } = await openBank(t);
  const page = await open();
  const token = await browser.tokenOf(page);
  const { payload, headers } = multipart({ token, reference: 'FT1' }, PNG);
  for (const length of [String(4 * 1024 * 1024 + 1), '9'.repeat(15)]) {
    const answer = await browser.visit(`${page}/bank`, {
      method: 'POST',
      payload: '',
      headers: { ...headers, 'content-length': length },
    });
    t.is(answer.statusCode, 413);
    t.regex(answer.body, /^<!doctype html>/i);
  }
  const { Readable } = await import('node:stream');
  const unknown = await app.inject({
    method: 'POST',
    url: `${page}/bank`,
    headers: {
      host: 'pay.example.com',
      cookie: [...browser.cookies].map(([key, value]) => `${key.split(' ')[0]}=${value}`).join('; '),
      'content-type': headers['content-type'],
    },
    payload: Readable.from([payload]),
  });
  t.is(unknown.statusCode, 413);
  t.is(await reviews(), 0);
});

test('a customer whose slip was not kept is informed in plain words, with time to read them', async (t) => {
  const { app, browser, open, reviews, logLines } = await openBank(t, { KASHBOX_SLIP_MIB_A_DAY: '0' });
  const page = await open();
  t.is((await browser.upload(page, { reference: 'FT1' }, PNG)).statusCode, 303);
  t.is(await reviews(), 1);
  const [english, bangla] = [
    (await browser.visit(`${page}?now=1&lang=en`)).body,
    (await browser.visit(`${page}?now=1&lang=bn`)).body,
  ];
  t.true(english.includes(EN.review.lacksSlip));
  t.true(bangla.includes(BN.review.lacksSlip));
  t.regex(english, /http-equiv="refresh" content="15;/);
  t.false((await openBrowser(app).visit(`${page}?lang=en`)).body.includes(EN.review.lacksSlip));
  await browser.upload(await open(), { reference: 'FT2' }, PNG);
  const warnings = logLines.filter((line) => line.includes('slips.full'));
  t.is(warnings.length, 1);
});

test('forms that are broken, or say things twice, are refused and nothing is kept', async (t) => {
  const { browser, open, reviews } = await openBank(t);
  const page = await open();
  const token = await browser.tokenOf(page);
  const { payload, headers } = multipart({ token, reference: 'FT1' }, PNG);
  const send = async (bytes: Buffer, type = headers['content-type']) =>
    (
      await browser.visit(`${page}/bank`, {
        method: 'POST',
        payload: bytes,
        headers: { 'content-type': type, 'content-length': String(bytes.length) },
      })
    ).statusCode;
  const text = payload.toString('latin1');
  t.is(await send(payload.subarray(0, 300)), 400, 'cut off');
  t.is(await send(payload, 'multipart/form-data'), 400, 'no boundary');
  t.is(await send(Buffer.from(text.replace('"slip"', '"__proto__"'), 'latin1')), 400);
  t.is(await send(Buffer.from(text.replace('name="reference"', 'name="token"'), 'latin1')), 400, 'twice');
  t.is(await send(Buffer.from(text.replace('FT1', 'A'.repeat(9_000)), 'latin1')), 400);
  t.is(await send(Buffer.from('{}'), 'application/json'), 415);
  t.is(await reviews(), 0);
});

test('the payer is recognised even if the transfer is credited under the statement reference', async (t) => {
  const { app, browser, open, core } = await openBank(t);
  const page = await open();
  await browser.upload(page, { reference: 'MYREF77' });
  const [review] = await listReviews(core, { state: 'OPEN', limit: 1 });
  await approveReview(core, { id: review?.id ?? '', note: 'seen', who: 'test', reference: 'STATEMENT9' });
  t.true((await browser.visit(page)).body.includes('transactionId=STATEMENT9&amp;'));
  t.false((await openBrowser(app).visit(page)).body.includes('STATEMENT9'));
});

test("another browser does not see a transfer's reference", async (t) => {
  const { app, browser, open } = await openBank(t);
  const page = await open();
  await browser.upload(page, { reference: 'SECRET77' }, PNG);
  const stranger = openBrowser(app);
  for (const path of [page, `${page}?now=1`]) t.false((await stranger.visit(path)).body.includes('SECRET77'));
});
