/** Why was it not credited? Each cause from a real store, by the words that people type; on both engines. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { addSms } from '../../../src/actions/sms/add-sms.js';
import { explainWhy } from '../../../src/actions/why/explain.js';
import { whyLines, whyView } from '../../../src/cli/text/why-text.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { openBank } from '../../helpers/shop/bank.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { enginesOfTier } from '../../helpers/stores/engines.js';

const MINUTE = 60_000;
const DAY = 86_400_000;

async function stage(t: ExecutionContext<unknown>, engine: Engine) {
  const made = await scene(t, engine);
  const { core, shop, clock } = made;
  const why = async (asked: string, sinceMs = clock.now() - 30 * DAY) =>
    whyView(await explainWhy(core, { asked, sinceMs }), clock.now());
  /** The gateway reference of a session. */
  const numberOf = async (id: string) => (await why(id)).answers[0]?.payment?.gateway_reference ?? '';
  /** Claims under an id, as a customer's shop does. */
  const claim = (id: string, reference: string) => answer(core, shop, id, reference);
  return { ...made, why, numberOf, claim };
}

for (const engine of enginesOfTier) {
  test(`${engine}: an amount finds the SMS that contain it, even if no amount was parsed from them`, async (t) => {
    const { core, shop, why } = await stage(t, engine);
    const texts = [
      ['TallyPay', 'Tk 1,898.57 received from 017***4838 via TallyPay QR. Txn ID: YY1Z85HTP'],
      ['EBL', 'AC 112***286 is credited with BDT 10000 as NPSB FUND TRANSFER on 01-SEP-26'],
      ['SomeBank', 'আপনার একাউন্টে ২,৫০০ টাকা জমা হয়েছে'],
      ['IBBL', 'Deposit Amount: 1,64,000.50'],
      ['Shop', 'Call 01711898571 or 10000 others'],
    ] as const;
    const messages = texts.map(([sender, body], n) => ({ id: `t${n}`, sender, body, sim_slot: 1 }));
    await syncDevice(core, { device: shop.device, messages, health: null });
    for (const [asked, sender] of [
      ['1898.57', 'TallyPay'],
      ['Tk 1,898.57', 'TallyPay'],
      ['10000', 'EBL'],
      ['২৫০০', 'SomeBank'],
      ['164000.50', 'IBBL'],
    ] as const) {
      const { answers } = await why(asked);
      t.deepEqual(
        answers.flatMap(({ money }) => money.map((one) => one.sender)),
        [sender],
        asked,
      );
    }
    t.deepEqual(
      (await why('1898')).answers.flatMap(({ money }) => money.map((one) => one.sender)),
      [],
    );
  });

  test(`${engine}: one letter that was mistyped is found from the claim, the id, the amount and the payment`, async (t) => {
    const { shop, why, claim, numberOf, money } = await stage(t, engine);
    const order = await shop.order(41_000);
    const paid = money('410.00');
    await shop.receive(paid.text);
    // Zeros are read as the letter.
    const mistyped = `${paid.trxId.slice(0, -2)}O${paid.trxId.slice(-1)}`;
    t.is(await claim(order, mistyped), 'transaction_not_found');
    const number = await numberOf(order);
    const { trxId } = paid;
    for (const asked of [
      order,
      number.toLowerCase(),
      mistyped,
      trxId.toLowerCase(),
      '410',
      '410.00',
      '৪১০',
    ]) {
      const { answers } = await why(asked);
      t.is(answers.length, 1, asked);
      const [found] = answers;
      t.like(found, { cause: 'one_letter', payment: { gateway_reference: number, amount: '410.00' } }, asked);
      t.true(found?.says.startsWith('Tk 410.00 from 01900000001 came at '), found?.says);
      t.regex(found?.says ?? '', new RegExp(` as ${trxId} .* wrote ${mistyped}`));
      t.deepEqual(found?.next, [
        `kashbox verifications approve ${number} --channel mfs_a --reference=${trxId} --note "WHY"`,
      ]);
    }
  });

  test(`${engine}: a credited payment is found with its transaction by each of its identifiers`, async (t) => {
    const { shop, why, claim, money, numberOf } = await stage(t, engine);
    const order = await shop.order(50_000);
    const paid = money('500.00');
    await shop.receive(paid.text);
    t.is(await claim(order, paid.trxId), 'completed');
    const number = await numberOf(order);
    for (const asked of [number, paid.trxId, paid.trxId.toLowerCase(), '500', '01900000001']) {
      const { answers } = await why(asked);
      t.is(answers.length, 1, asked);
      t.like(answers[0], {
        cause: 'credited',
        payment: { gateway_reference: number, transaction_id: paid.trxId },
      });
    }
  });

  test(`${engine}: less than what is due says how much is missing`, async (t) => {
    const { shop, why, claim, money } = await stage(t, engine);
    const order = await shop.order(40_000);
    const paid = money('390.00');
    await shop.receive(paid.text);
    await claim(order, paid.trxId);
    const [found] = (await why(paid.trxId)).answers;
    t.is(found?.cause, 'amount');
    t.regex(found?.says ?? '', /Tk 390\.00 .* Tk 400\.00 is due: Tk 10\.00 is missing\./);
  });

  test(`${engine}: money on a number that is not the brand's names both numbers`, async (t) => {
    const { core, shop, why, claim, money } = await stage(t, engine);
    const order = await shop.order(50_000);
    const { trxId, text } = money('500.00');
    const recipient = '01711000077';
    await addSms(core, { merchant: shop.merchantId, recipient, sender: 'bKash', text, who: 'test' });
    await claim(order, trxId);
    const [found] = (await why(order)).answers;
    t.is(found?.cause, 'recipient');
    t.true(found?.says.includes(`received on ${recipient}`), found?.says);
    t.true(found?.says.includes(WALLET), found?.says);
    t.is(found?.next.length, 2);
  });

  test(`${engine}: a wallet that no phone reads is named`, async (t) => {
    const { core, shop, why, claim } = await stage(t, engine);
    const brand = shop.brand.brandId;
    await setAccount(core, { brand, channel: 'mfs_b', type: 'personal', number: '01811000009', who: 'test' });
    const order = await shop.order(50_000);
    t.is(await answer(core, shop, order, '71234567', 'mfs_b'), 'transaction_not_found');
    const [found] = (await why(order)).answers;
    t.is(found?.cause, 'no_phone');
    t.true(found?.says.includes('01811000009'), found?.says);
    t.is(await claim(order, 'DHK4NONE03'), 'transaction_not_found');
  });

  test(`${engine}: money that nobody has claimed names the payments that ask for it`, async (t) => {
    const { shop, why, money, numberOf } = await stage(t, engine);
    const paid = money('500.00');
    await shop.receive(paid.text);
    const [alone] = (await why(paid.trxId)).answers;
    t.like(alone, { cause: 'unclaimed', payment: null, next: [] });
    t.regex(alone?.says ?? '', /no payment uses it\. No open payment has this amount/);
    const order = await shop.order(50_000);
    const number = await numberOf(order);
    const [found] = (await why(paid.trxId)).answers;
    t.is(found?.cause, 'unclaimed');
    t.deepEqual(found?.next, [
      `kashbox verifications approve ${number} --channel mfs_a --reference=${paid.trxId} --note "WHY"`,
    ]);
    t.like((await why(number)).answers[0], { cause: 'same_amount' });
    t.is((await why('01900000001')).answers[0]?.cause, 'unclaimed');
  });

  test(`${engine}: an id that has paid another order names that order`, async (t) => {
    const { shop, why, claim, money, numberOf } = await stage(t, engine);
    const [first, second] = [await shop.order(50_000), await shop.order(50_000)];
    const paid = money('500.00');
    await shop.receive(paid.text);
    await claim(first, paid.trxId);
    await claim(second, paid.trxId);
    const { answers } = await why(paid.trxId);
    t.deepEqual(answers.map(({ cause }) => cause).sort(), ['already_credited', 'credited']);
    const refused = answers.find(({ cause }) => cause === 'already_credited');
    t.is(refused?.payment?.id, second);
    t.true(refused?.says.includes(await numberOf(first)), refused?.says);
  });

  test(`${engine}: a text that is read as no money says as what it is read`, async (t) => {
    const { core, shop, why, claim } = await stage(t, engine);
    const order = await shop.order(50_000);
    const text =
      'Payment of Tk 500.00 to SHOP is successful. Balance Tk 20.00. TrxID DHK4OUT001 at 21/08/2026 12:00';
    await addSms(core, { merchant: shop.merchantId, recipient: WALLET, sender: 'bKash', text, who: 'test' });
    await claim(order, 'DHK4OUT001');
    const [found] = (await why('DHK4OUT001')).answers;
    t.is(found?.cause, 'no_money');
    t.regex(found?.next[0] ?? '', /^kashbox sms show sms_/);
  });

  test(`${engine}: nothing seen blames a silent phone, and only where it is silent`, async (t) => {
    const { shop, why, claim, clock } = await stage(t, engine);
    await shop.receive();
    const order = await shop.order(50_000);
    await claim(order, 'DHK4NONE01');
    t.is((await why('DHK4NONE01')).answers[0]?.cause, 'not_seen');
    clock.advance(10 * MINUTE);
    const [found] = (await why('DHK4NONE01')).answers;
    t.is(found?.cause, 'phone_problem');
    t.regex(found?.says ?? '', /phone "Alo Store phone" has been silent for 10m/);
  });

  test(`${engine}: an order without a claim says so, and a failed one when it ended`, async (t) => {
    const { core, shop, why } = await stage(t, engine);
    await shop.receive();
    const order = await shop.link(50_000);
    t.is((await why(order)).answers[0]?.cause, 'nothing_claimed');
    await cancelSession(core, order);
    t.regex((await why(order)).answers[0]?.says ?? '', /The payment has been cancelled at 20/);
  });

  test(`${engine}: an overpayment is under review, with the commands to decide it`, async (t) => {
    const { shop, why, claim, money } = await stage(t, engine);
    const order = await shop.order(50_000);
    const paid = money('510.00');
    await shop.receive(paid.text);
    await claim(order, paid.trxId);
    const [found] = (await why(paid.trxId)).answers;
    t.is(found?.cause, 'under_review');
    t.regex(found?.says ?? '', /paid too much/);
    t.regex(
      found?.next.join('\n') ?? '',
      /^kashbox verifications show (rev_\w+)\nkashbox verifications approve \1 /,
    );
  });

  test(`${engine}: a bank's push is found by its reference and by its payer`, async (t) => {
    const { core, shop, why } = await stage(t, engine);
    const bank = await openBank(core, shop);
    await bank.push({ reference: 'RRN7788', payer: '01712345678' });
    for (const asked of ['RRN7788', '01712345678']) {
      t.like((await why(asked)).answers[0], { cause: 'unclaimed', money: [{ reference: 'RRN7788' }] }, asked);
    }
  });

  test(`${engine}: a push under review is found with its payment by the bank's reference`, async (t) => {
    const { core, shop, why, clock } = await stage(t, engine);
    const bank = await openBank(core, shop);
    await bank.push({ reference: 'RRN7788', payer: '01712345678' });
    clock.advance(MINUTE);
    const { id } = await bank.order();
    t.is(await bank.verify(id, '5678'), 'under_review');
    for (const asked of ['RRN7788', '500', '01712345678'])
      t.like((await why(asked)).answers[0], { cause: 'under_review', payment: { id } }, asked);
  });

  test(`${engine}: an unknown id returns never_seen, and an unreadable query is rejected`, async (t) => {
    const { shop, why } = await stage(t, engine);
    await shop.receive();
    t.like((await why('DHK4NONE02')).answers[0], { cause: 'never_seen', payment: null });
    await t.throwsAsync(why('  '), { code: 'invalid_input' });
    await t.throwsAsync(why('two words'), { code: 'invalid_input' });
  });

  test(`${engine}: other merchants' money and claims explain nothing`, async (t) => {
    const { core, shop, why, claim, money } = await stage(t, engine);
    const other = await openShop(core, 'Other Store', '01711000055');
    await shop.receive();
    const order = await shop.order(50_000);
    await claim(order, 'DHK4TYPO01');
    await other.receive(money('500.00', { trxId: 'DHK4TYP001' }).text);
    t.is((await why(order)).answers[0]?.cause, 'not_seen');
  });
}

test('people read the sentence first, then what it rests on, then what to type', async (t) => {
  const { shop, why, claim, money } = await stage(t, 'sqlite');
  const order = await shop.order(41_000);
  await shop.receive(money('410.00', { trxId: 'DHK4TYP001' }).text);
  await claim(order, 'DHK4TYPO01');
  const lines = whyLines(await why('DHK4TYPO01'));
  t.regex(lines[0] ?? '', /^[0-9A-Z]{12} {2}PENDING$/);
  t.regex(lines[1] ?? '', /^Tk 410\.00 from 01900000001 came/);
  t.is(lines.at(-1)?.startsWith('  Next: kashbox verifications approve '), true);
  t.true(
    lines.some((line) => /^ {2}Claim +mfs_a DHK4TYPO01, waiting/.test(line)),
    lines.join('\n'),
  );
  t.true(lines.some((line) => /^ {2}Money +Tk 410\.00, DHK4TYP001, from 01900000001/.test(line)));
});
