/** What stands on the checkout page in each state, in both languages, and for whom. */
import test from 'ava';
import type { CheckoutPage, Language, Notice } from '../../../../daemon/checkout/page.js';
import type { Texts } from '../../../../daemon/checkout/texts/en.js';
import type { Statement } from '../../../../daemon/checkout/texts/texts.js';
import { renderCheckout, renderNotice } from '../../../../daemon/checkout/view.js';
import type { CheckoutState } from '../../../../src/actions/sessions/load-checkout.js';
import {
  CLAIMED,
  CUSTOMER,
  cardOf,
  escaped,
  headings,
  languages,
  METHODS,
  PAID,
  PATH,
  pageOf,
  STATES,
  TOKEN,
  visible,
} from './view-pages.js';

/** What each state says to who comes back to the link, and to who has just finished. */
const sayings: Readonly<Record<CheckoutState, (t: Texts) => { again: Statement; fresh: Statement }>> = {
  open: (t) => {
    const words = { title: t.choose.title, text: t.choose.byReference };
    return { again: words, fresh: words };
  },
  waiting: (t) => {
    const words = { title: t.waiting, text: t.given.id.waiting };
    return { again: words, fresh: words };
  },
  review: (t) => t.review,
  completed: (t) => t.completed,
  cancelled: (t) => ({ again: t.cancelled, fresh: t.cancelled }),
  expired: (t) => ({ again: t.expired, fresh: t.expired }),
  rejected: (t) => ({ again: t.rejected, fresh: t.rejected }),
};

for (const state of STATES) {
  for (const { language, t: texts } of languages) {
    test(`the page of a payment that is ${state} says so, in ${language}`, (t) => {
      for (const isFresh of [false, true]) {
        const html = renderCheckout(pageOf(state, { language, isFresh }));
        const { title, text } = sayings[state](texts)[isFresh ? 'fresh' : 'again'];
        t.true(headings(html).includes(escaped(title)), title);
        t.true(html.includes(`>${escaped(text)}</p>`), text);
        t.true(html.startsWith(`<!doctype html>\n<html lang="${language}">`));
        t.true(html.includes('<h1>Alo Store</h1>'));
        t.true(html.includes('K7M2QX94TR8A'));
        t.notRegex(visible(html), /undefined|null|NaN|\[object|\{\}|\$\{|<%/);
      }
    });
  }
}

test('a first-time customer sees every way to pay, all collapsed', (t) => {
  for (const { language, t: texts } of languages) {
    const html = renderCheckout(pageOf('open', { language }));
    const names = [...html.matchAll(/<h3>(.*?)<\/h3>/g)].map(([, name]) => name);
    const { mfs_a, mfs_b, mfs_c, mfs_d } = texts.wallets;
    t.deepEqual(names, [...[mfs_a, mfs_b, mfs_c, mfs_d].map(({ name }) => name), texts.channels.bank]);
    t.notRegex(html, /<details class="card \w+" open>/);
  }
});

test('a single way to pay is expanded', (t) => {
  const html = renderCheckout(pageOf('open', {}, { methods: METHODS.slice(1, 2) }));
  t.true(html.includes('<details class="card mfs_b" open>'));
});

test('a form carries the token, its channel and the field that its route reads', (t) => {
  const html = renderCheckout(pageOf('open'));
  for (const { channel } of METHODS) {
    const card = cardOf(html, channel);
    const isBank = channel === 'bank';
    t.true(card.includes(`<form method="post" action="${PATH}/${isBank ? 'bank' : 'claim'}"`), channel);
    t.true(card.includes(`name="token" value="${TOKEN}"`), channel);
    t.true(card.includes(`name="method" value="${channel}"`), channel);
    t.true(card.includes(`name="${isBank ? 'reference' : 'transaction_id'}"`), channel);
    t.is(card.includes('enctype="multipart/form-data"'), isBank, channel);
    t.is(card.includes('type="file" name="slip"'), isBank, channel);
  }
  const [, cancel = ''] = html.split(`action="${PATH}/cancel">`);
  t.true(cancel.includes(`name="token" value="${TOKEN}"`));
});

test('a payment can be cancelled only while it can be made', (t) => {
  const canCancel = STATES.filter((state) => renderCheckout(pageOf(state)).includes(`${PATH}/cancel`));
  t.deepEqual(canCancel, ['open', 'waiting']);
});

test('the amount to send includes and names the fee; without a fee none is mentioned', (t) => {
  const html = renderCheckout(pageOf('open', { language: 'en' }));
  t.regex(cardOf(html, 'mfs_a'), /<small>৳ 1,23,465\.75<\/small>[\s\S]*fee ৳ 9\.25 included/);
  t.true(cardOf(html, 'mfs_a').includes('data-copy="123465.75"'));
  t.true(cardOf(html, 'mfs_b').includes('data-copy="123456.50"'));
  t.false(cardOf(html, 'mfs_b').includes('fee'));
});

test('of several accounts of a wallet the best for the customer comes first, the others folded', (t) => {
  const accounts = ['agent', 'payment', 'personal'].map((type, n) => ({
    type,
    number: `0171100000${n}`,
    details: { ...(type === 'payment' ? { qr: 'payload' } : {}) },
  }));
  const methods = [{ channel: 'mfs_a', feePaisa: 0, totalPaisa: 50_050, accounts, usdt: null }] as const;
  const html = renderCheckout(pageOf('open', { language: 'en' }, { methods }));
  const numbers = [...html.matchAll(/data-copy="(01\d+)"/g)].map(([, number]) => number);
  t.deepEqual(numbers, ['01711000001', '01711000002', '01711000000']);
  t.deepEqual(
    [...html.matchAll(/<summary>Another way: (.*?)<\/summary>/g)].map(([, service]) => service),
    ['Send Money', 'Cash Out <small>bKash fee: up to 1.85%.</small>'],
  );
  t.deepEqual(
    [...html.matchAll(/<img src="(.*?\/qr\/.*?)"/g)].map(([, path]) => path),
    [`${PATH}/qr/mfs_a/payment`],
  );
});

test('of a bank account all that is known can be copied', (t) => {
  const card = cardOf(renderCheckout(pageOf('open')), 'bank');
  const copies = [...card.matchAll(/data-copy="(.*?)"/g)].map(([, value]) => value);
  t.deepEqual(copies, [
    'Shapla Bank',
    'Alo Store',
    '1234567890123',
    'Dhanmondi',
    '225261187',
    '123456.50',
    'K7M2QX94TR8A',
  ]);
});

test('a way to pay that the page cannot explain is not offered', (t) => {
  const account = { type: 'merchant', number: '98729382672', details: {} };
  const usdt = { rate: 1_205_000, amount: 8_299 };
  const sums = { feePaisa: 0, totalPaisa: 100, accounts: [account] };
  for (const method of [
    { ...sums, channel: 'bep20', usdt: null },
    { ...sums, channel: 'qr_interbank', usdt: null },
    { ...sums, channel: 'exchange_pay', usdt },
  ] as const) {
    const html = renderCheckout(pageOf('open', { language: 'en' }, { methods: [method] }));
    t.notRegex(html, /BEP20|Binance|Bangla QR/);
    t.true(visible(html).includes('This shop cannot take payments right now'));
  }
});

test('a shop that cannot be paid says not to send money, and whom to contact', (t) => {
  for (const { language, t: texts } of languages) {
    const html = renderCheckout(pageOf('open', { language }, { methods: [] }));
    t.true(html.includes(escaped(texts.unpayable.text)));
    t.true(html.includes('href="tel:01711000009"'));
    t.false(html.includes('id="left"'));
  }
});

test('only the browser that made a claim sees ids and names', (t) => {
  for (const state of STATES.filter((state) => state !== 'open')) {
    for (const { language } of languages) {
      for (const isFresh of [false, true]) {
        for (const isLate of [false, true]) {
          const other = renderCheckout(pageOf(state, { language, isFresh, isLate }));
          for (const secret of [CLAIMED, PAID, CUSTOMER])
            t.false(other.includes(secret), `${state} ${secret}`);
          const own = renderCheckout(pageOf(state, { language, isFresh, isLate, isPayer: true }));
          t.true(own.includes(state === 'completed' ? PAID : CLAIMED), state);
          t.true(own.includes(CUSTOMER), state);
        }
      }
    }
  }
});

test('a newly opened page shows the customer name', (t) => {
  t.true(renderCheckout(pageOf('open')).includes(CUSTOMER));
});

test('the payer of a completed payment sees what was paid and the fee', (t) => {
  const html = visible(renderCheckout(pageOf('completed', { language: 'en', isPayer: true })));
  t.regex(
    html,
    /Date and time 21 Aug 2026, 2:12 pm Paid with bKash Paid to 01711000001 Transaction ID DH15ABC1K8 Amount paid ৳ 1,23,456\.50 Fee ৳ 9\.25 Contact 01711000009, help@alo\.example/,
  );
});

const after = (page: CheckoutPage) =>
  /<noscript><meta http-equiv="refresh" content="(\d+);url=(.*?)"><\/noscript>/.exec(renderCheckout(page));

test('a fresh result redirects to the shop after time to read; opening the link later does not', (t) => {
  const seconds = STATES.map((state) => [state, Number(after(pageOf(state, { isFresh: true }))?.[1] ?? 0)]);
  t.deepEqual(Object.fromEntries(seconds), {
    open: 0,
    waiting: 8,
    review: 5,
    completed: 5,
    cancelled: 15,
    expired: 15,
    rejected: 15,
  });
  for (const state of STATES.filter((state) => state !== 'waiting')) t.is(after(pageOf(state)), null, state);
  t.is(after(pageOf('completed', { isFresh: true }))?.[2], 'https://shop.example/ok?o=7&amp;status=pending');
  t.is(after(pageOf('expired', { isFresh: true, isLate: true })), null);
});

test('with script it redirects after the same time', (t) => {
  const html = renderCheckout(pageOf('completed', { isFresh: true }));
  t.true(
    html.includes(
      '<a id="back" class="button" href="https://shop.example/ok?o=7&amp;status=pending" data-seconds="5">',
    ),
  );
  t.false(renderCheckout(pageOf('completed')).includes('data-seconds'));
});

test('a shop that wants a POST gets a form of the parameters, in their order', (t) => {
  const parameters = [
    ['paymentMethod', 'bank'],
    ['status', '"pending"'],
  ] as const;
  const back = { method: 'POST', url: 'https://shop.example/ok?a=1&b=2', parameters } as const;
  const html = renderCheckout(pageOf('review', { back, isFresh: true }));
  t.true(
    html.includes(
      '<form id="back" method="post" action="https://shop.example/ok?a=1&amp;b=2" data-seconds="5">',
    ),
  );
  t.deepEqual(
    [...html.matchAll(/<input type="hidden" name="(.*?)" value="(.*?)">/g)].map((match) => match.slice(1)),
    [
      ['paymentMethod', 'bank'],
      ['status', '&quot;pending&quot;'],
    ],
  );
  t.false(html.includes('http-equiv="refresh"'));
});

test('a payment that can still be made offers no way to the shop but to cancel', (t) => {
  for (const state of ['open', 'waiting'] as const) {
    t.false(renderCheckout(pageOf(state)).includes('shop.example'), state);
  }
});

test('a waiting page looks again without script, unless its id is being corrected', (t) => {
  t.is(after(pageOf('waiting'))?.[2], `${PATH}?now=1`);
  t.true(renderCheckout(pageOf('waiting')).includes(`href="${PATH}?late=1"`));
  const correcting = pageOf('waiting', { isLate: true, isPayer: true });
  t.is(after(correcting), null);
  t.true(renderCheckout(correcting).includes('<details class="card mfs_a" open>'));
  const problem = { channel: 'mfs_b', kind: 'no_reference', typed: 'hello' } as const;
  t.is(after(pageOf('waiting', { problem })), null);
});

test('help names the phone, WhatsApp in its international form and the address, where they are given', (t) => {
  const html = renderCheckout(pageOf('rejected'));
  const message = 'পেমেন্ট%20নম্বর:%20K7M2QX94TR8A';
  for (const link of [
    'tel:01711000009',
    `sms:01711000009?body=${message}`,
    `https://wa.me/8801811000009?text=${message}`,
    `mailto:help@alo.example?subject=${message}`,
  ]) {
    t.true(html.includes(`href="${link}"`), link);
  }
  const brand = { name: 'Alo', mobile: '', whatsapp: '+880 1811-000009', email: '' };
  const few = renderCheckout(pageOf('rejected', {}, { brand }));
  t.true(few.includes('href="https://wa.me/8801811000009?text='));
  t.notRegex(few, /tel:|sms:|mailto:/);
  const spaced = { ...brand, mobile: '+880 1711-000000' };
  const dialled = renderCheckout(pageOf('rejected', {}, { brand: spaced }));
  t.regex(dialled, /href="tel:\+8801711000000">[\s\S]*\+880 1711-000000</);
});

const NOTICES: readonly Notice[] = [
  'not_found',
  'form_refused',
  'too_many_requests',
  'upload_too_large',
  'unavailable',
];

test('each notice has its words in both languages, and a way to try again where that makes sense', (t) => {
  for (const notice of NOTICES) {
    for (const { language, t: texts } of languages) {
      const html = renderNotice({ language, notice, retryPath: PATH });
      t.true(html.includes(`<h1>${escaped(texts.notices[notice].title)}</h1>`));
      t.true(html.includes(escaped(texts.notices[notice].text)));
      t.true(html.includes(`href="${PATH}">${texts.tryAgain}</a>`));
      t.false(renderNotice({ language, notice, retryPath: null }).includes('href="/'));
      t.notRegex(html, /<script/);
    }
  }
});

test('a link without a payment says to ask for a new one, and not to pay again', (t) => {
  const notFound = (language: Language) => renderNotice({ language, notice: 'not_found', retryPath: null });
  t.regex(notFound('en'), /ask the seller for a new link[\s\S]*do not send it again/);
  t.regex(notFound('bn'), /নতুন লিংক চান[\s\S]*আবার পাঠাবেন না/);
});
