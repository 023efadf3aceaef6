/** The cards of payments that no SMS tells of: their steps, what is copied and what is said of claims. */
import test from 'ava';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import type { CheckoutMethod } from '../../../../src/actions/sessions/load-checkout.js';
import type { PayChannel } from '../../../../src/domain/accounts/channels.js';
import type { Disagreement } from '../../../../src/domain/matching/matching.js';
import { personalPayload } from '../../../helpers/shop/qr.js';
import { cardOf, escaped, languages, NOW, PATH, pageOf, visible } from './view-pages.js';

const ADDRESS = '0x52908400098527886E0F7030069857D2E4169EE7';
const HASH = `0x${'9c2f41e7'.repeat(8)}`;
const SUMS = { feePaisa: 0, totalPaisa: 12_345_650 };
const PAYLOAD = '00020101021226-of-this-payment';

const CODE: CheckoutMethod = {
  ...SUMS,
  channel: 'qr_interbank',
  usdt: null,
  accounts: [{ type: 'qr', number: '1750000000000000012', details: {} }],
  code: PAYLOAD,
};
const EXCHANGE: CheckoutMethod = {
  ...SUMS,
  channel: 'exchange_pay',
  usdt: { rate: 1_215_000, amount: 10_161_030 },
  accounts: [{ type: 'personal', number: '358127946', details: { key: 'abcd…wxyz', base_url: 'https://x' } }],
};
const CHAIN: CheckoutMethod = {
  ...SUMS,
  channel: 'bep20',
  usdt: { rate: 1_215_000, amount: 10_161_031 },
  accounts: [{ type: 'transfer', number: ADDRESS, details: { network: 'BNB Smart Chain (BEP20)' } }],
};
const METHODS = [CODE, EXCHANGE, CHAIN];

const open = (language: 'bn' | 'en', methods = METHODS) =>
  renderCheckout(pageOf('open', { language }, { methods }));
const copies = (card: string) => [...card.matchAll(/data-copy="(.*?)"/g)].map(([, value]) => value);
const steps = (card: string) => [...card.matchAll(/<li>/g)].length;

test('copied values are what the other app accepts, to the last digit, in either language', (t) => {
  for (const { language } of languages) {
    const html = open(language);
    t.deepEqual(copies(cardOf(html, 'qr_interbank')), ['123456.50']);
    t.deepEqual(copies(cardOf(html, 'exchange_pay')), ['358127946', '1016.1030']);
    t.deepEqual(copies(cardOf(html, 'bep20')), [ADDRESS, '1016.1031']);
  }
});

test('sums in USDT have four decimals each, so that they compare digit by digit', (t) => {
  const sums = [102_890, 102_881, 1_000_000, 1].map((amount) => {
    const html = open('bn', [{ ...CHAIN, usdt: { rate: 1_215_000, amount } }]);
    return /<small>([\d.]+) USDT<\/small>/.exec(html)?.[1];
  });
  t.deepEqual(sums, ['10.2890', '10.2881', '100.0000', '0.0001']);
});

test('next to a merchant account at the exchange only the personal one is payable', (t) => {
  const merchant = { type: 'merchant', number: '98729382672', details: {} };
  const card = cardOf(
    open('en', [{ ...EXCHANGE, accounts: [merchant, ...EXCHANGE.accounts] }]),
    'exchange_pay',
  );
  t.deepEqual(copies(card), ['358127946', '1016.1030']);
  t.false(card.includes(merchant.number));
});

test('an amount in USDT always has ASCII digits and is shown with its rate', (t) => {
  const bangla = visible(cardOf(open('bn'), 'bep20'));
  t.regex(bangla, /^ T USDT \(BEP20\) 1016\.1031 USDT /);
  t.true(bangla.includes('৳ ১,২৩,৪৫৬.৫০; ১ USDT = ৳ ১২১.৫০ হিসাবে'));
  t.true(visible(cardOf(open('en'), 'bep20')).includes('৳ 1,23,456.50 at ৳ 121.50 for 1 USDT'));
});

test('a fee is part of what is paid in USDT, and is named in taka', (t) => {
  const html = open('en', [{ ...CHAIN, feePaisa: 925, totalPaisa: 12_346_575 }]);
  t.regex(
    cardOf(html, 'bep20'),
    /<small>1016\.1031 USDT<\/small>[\s\S]*<p class="small">fee ৳ 9\.25 included<\/p>/,
  );
  t.true(visible(html).includes('৳ 1,23,465.75 at'));
});

test('each card says what to beware of, and its numbered steps end at its field', (t) => {
  for (const { language, t: texts } of languages) {
    const html = open(language);
    const warnings: [PayChannel, number, string][] = [
      ['exchange_pay', 3, texts.usdt.userWarning],
      ['bep20', 3, texts.usdt.addressWarning],
    ];
    for (const [channel, count, words] of warnings) {
      const card = cardOf(html, channel);
      t.is(steps(card), count, channel);
      t.true(card.includes(escaped(words)), channel);
      t.regex(card, /<label for="id-\w+" class="step">/, channel);
    }
    t.true(cardOf(html, 'bep20').includes(escaped(texts.usdt.stepNetwork('BNB Smart Chain (BEP20)'))));
  }
});

test('the code of a payment is a picture and a file behind its path; neither code nor keys are in the page', (t) => {
  const html = open('en');
  const card = cardOf(html, 'qr_interbank');
  t.true(card.includes(`<img src="${PATH}/qr/qr_interbank/qr" alt="" width="280" height="280"`));
  t.true(card.includes(`href="${PATH}/qr/qr_interbank/qr.png" download>`));
  t.true(cardOf(html, 'bep20').includes(`<img src="${PATH}/qr/bep20/transfer" alt="" width="200"`));
  t.notRegex(html, /of-this-payment|abcd|https:\/\/x/);
});

test('telephones offer digits for a number, and change no letter of a hash', (t) => {
  const html = open('bn');
  t.regex(cardOf(html, 'qr_interbank'), /autocapitalize="none" inputmode="tel"/);
  for (const channel of ['exchange_pay', 'bep20']) {
    t.regex(cardOf(html, channel), /autocapitalize="none" autocorrect="off"/);
  }
});

test('where there is but one way, it is said on top what comes of it', (t) => {
  for (const { language, t: texts } of languages) {
    const only = METHODS.map((method) => visible(open(language, [method])));
    const kinds = ['number', 'order', 'hash'] as const;
    for (const [at, kind] of kinds.entries()) t.true(only[at]?.includes(texts.given[kind].only('')), kind);
  }
});

const CLAIMED = [
  ['qr_interbank', 'number', '01712345678'],
  ['exchange_pay', 'order', '312345678901234567'],
  ['bep20', 'hash', HASH],
] as const;

for (const [channel, kind, reference] of CLAIMED) {
  test(`while a claim on ${channel} waits, the page speaks of that, and of no SMS`, (t) => {
    for (const { language, t: texts } of languages) {
      const claim = { channel, reference, at: NOW, isWaiting: true, refusedFor: null, camePaisa: null };
      const page = { language, isPayer: true };
      const brand = { name: 'Alo Store', mobile: '', whatsapp: '', email: '' };
      const html = renderCheckout(pageOf('waiting', page, { claim, methods: METHODS, brand }));
      const text = visible(html);
      const { yours, waiting, waitingLong, correct } = texts.given[kind];
      for (const words of [`${yours} ${reference}`, waiting, waitingLong, correct.title, correct.text]) {
        t.true(text.includes(words), words);
      }
      t.notRegex(text, /SMS|এসএমএস|TrxID/);
    }
  });

  test(`a problem with a claim on ${channel} has its own wording, without mention of SMS`, (t) => {
    const about: readonly Disagreement[] = ['recipient', 'amount', 'time', 'failed', 'token', 'currency'];
    const disagreements = [...about, 'not_incoming', 'other_payment'] as const;
    for (const { language } of languages) {
      const said = (problem: Parameters<typeof pageOf>[1]) =>
        visible(
          cardOf(renderCheckout(pageOf('open', { language, ...problem }, { methods: METHODS })), channel),
        );
      const base = { channel, typed: reference };
      const cards = [
        said({ problem: { ...base, kind: 'no_reference' } }),
        said({ problem: { ...base, kind: 'already_credited' } }),
        said({ problem: { ...base, kind: 'ask_full_number' } }),
        said({ problem: { ...base, kind: 'too_many_attempts' } }),
        ...(kind === 'number'
          ? []
          : disagreements.map((about) => said({ problem: { ...base, kind: 'disagrees', about } }))),
      ];
      for (const card of cards) t.notRegex(card, /SMS|এসএমএস|TrxID|undefined/);
      t.is(new Set(cards).size, cards.length, 'each has its own words');
    }
  });
}

/** A personal account whose code any app pays. */
function coded(channel: 'mfs_a' | 'mfs_b' | 'mfs_c', details: Readonly<Record<string, string>> = {}) {
  const accounts = [{ type: 'personal', number: '01711000001', details }];
  return { ...SUMS, channel, accounts, usdt: null, code: personalPayload('01711000001', 'KARIM STORE') };
}

const cardNames = (html: string) =>
  [...html.matchAll(/<details class="card (\w+)"/g)].map(([, name]) => name);

test('one code is on the page: the merchant’s, else that of the first wallet which has one', (t) => {
  const plain: CheckoutMethod = { ...SUMS, channel: 'mfs_a', accounts: coded('mfs_a').accounts, usdt: null };
  const methods = [plain, coded('mfs_b'), coded('mfs_c'), EXCHANGE];
  const html = open('en', methods);
  t.deepEqual(cardNames(html), ['mfs_a', 'mfs_b', 'mfs_c', 'qr_interbank', 'exchange_pay']);
  t.deepEqual(
    [...html.matchAll(/<img src="([^"]*\/qr\/[^"]*)"/g)].map(([, path]) => path),
    [`${PATH}/qr/mfs_b/personal`],
  );
  const merchant = open('en', [plain, coded('mfs_b'), CODE]);
  t.deepEqual(cardNames(merchant), ['mfs_a', 'mfs_b', 'qr_interbank']);
  t.true(merchant.includes(`<img src="${PATH}/qr/qr_interbank/qr"`));
  t.false(merchant.includes('/qr/mfs_b/'));
});

test('the card of codes shows the name in the app, and takes the number that paid', (t) => {
  for (const { language, t: texts } of languages) {
    const card = cardOf(open(language, [coded('mfs_b', { holder: 'Karim Uddin' })]), 'qr_interbank');
    const text = visible(card);
    for (const words of [texts.code.name, `${texts.theHolder} Karim Uddin`, texts.code.byHand]) {
      t.true(text.includes(words), words);
    }
    t.true(text.includes(texts.given.number.label('')));
    t.regex(card, /name="method" value="mfs_b">\s*<input type="hidden" name="by" value="code">/);
    t.true(card.includes(`href="${PATH}/qr/mfs_b/personal.png" download>`));
    t.notRegex(text, /SMS|এসএমএস|TrxID/);
    const unnamed = visible(cardOf(open(language, [coded('mfs_b')]), 'qr_interbank'));
    t.true(unnamed.includes(`${texts.theHolder} KARIM STORE`), 'the name in the code');
    t.true(visible(cardOf(open(language), 'qr_interbank')).includes(texts.code.stepGallery));
  }
});

test('a problem with the number that paid a wallet’s code is on the card of codes alone', (t) => {
  const methods = [coded('mfs_b')];
  const problem = { kind: 'no_reference', channel: 'mfs_b', isByCode: true, typed: 'I paid' } as const;
  for (const { language, t: texts } of languages) {
    const html = renderCheckout(pageOf('open', { language, problem }, { methods }));
    t.true(html.includes('<a href="#id-qr_interbank">'));
    t.true(visible(cardOf(html, 'qr_interbank')).includes(texts.given.number.none('01712345678')));
    t.false(cardOf(html, 'mfs_b').includes('role="alert"'));
  }
});

for (const reference of ['01712345678', '5678']) {
  test(`a claim by the number ${reference} on a wallet speaks of the number until the receipt`, (t) => {
    const claim = {
      channel: 'mfs_b',
      reference,
      at: NOW,
      isWaiting: true,
      refusedFor: null,
      camePaisa: null,
    } as const;
    const paid = {
      ...{ channel: 'mfs_b', reference: '74F4IPDK', paidPaisa: 64_000, feePaisa: 0 },
      recipient: null,
      at: NOW,
    } as const;
    for (const { language, t: texts } of languages) {
      const page = { language, isPayer: true };
      const said = (state: 'waiting' | 'review' | 'completed', more = {}) =>
        visible(renderCheckout(pageOf(state, page, { claim, methods: [coded('mfs_b')], ...more })));
      const waiting = said('waiting');
      const { yours, waiting: wait, correct } = texts.given.number;
      for (const words of [`${yours} ${reference}`, wait, correct.title])
        t.true(waiting.includes(words), words);
      t.false(waiting.includes(texts.oddClaim(texts.channels.mfs_b)));
      t.true(said('review').includes(texts.review.byCode.title));
      t.false(said('review', { isAsked: true }).includes(texts.review.byCode.title), 'nobody knows of money');
      t.true(said('completed', { paid }).includes(`${texts.paidBy} ${texts.channels.qr_interbank}`));
    }
  });
}
