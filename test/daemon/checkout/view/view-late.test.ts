/** What the page says when something came too late, looks odd, or is not there: the rare and costly cases. */
import test from 'ava';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import type { Checkout } from '../../../../src/actions/sessions/load-checkout.js';
import type { PayChannel } from '../../../../src/domain/accounts/channels.js';
import { CLAIMED, cardOf, escaped, languages, METHODS, NOW, PATH, pageOf, visible } from './view-pages.js';

const { facts } = pageOf('review').checkout;
const TOLD_FAILED: Partial<Checkout> = { facts: { ...facts, status: 'FAILED' } };
const BY_ITSELF = /http-equiv="refresh"|data-seconds/;

test('a claim that came when all was over is said to be one, and the page stays', (t) => {
  for (const { language, t: texts } of languages) {
    for (const isFresh of [true, false]) {
      const html = renderCheckout(pageOf('review', { language, isFresh }, TOLD_FAILED));
      t.true(html.includes(escaped(texts.review.late.title)));
      t.true(html.includes(escaped(texts.review.late.text)));
      t.notRegex(html, BY_ITSELF);
      t.false(html.includes(escaped(texts.goingBack('Alo Store'))));
      t.regex(html, /<a id="back" class="button" href="https:\/\/shop\.example\/ok/);
    }
    const inTime = renderCheckout(pageOf('review', { language, isFresh: true }));
    t.regex(inTime, BY_ITSELF);
    t.false(inTime.includes(escaped(texts.review.late.title)));
  }
});

test('a shop that wants a POST is not sent one by itself after a late claim', (t) => {
  const back = {
    method: 'POST',
    url: 'https://shop.example/ok',
    parameters: [['status', 'failed']],
  } as const;
  const html = renderCheckout(pageOf('review', { isFresh: true, back }, TOLD_FAILED));
  t.true(html.includes('<form id="back" method="post" action="https://shop.example/ok">'));
});

for (const state of ['expired', 'cancelled'] as const) {
  test(`a payer who opens a payment that is ${state} can give the id, and sees no number to pay to`, (t) => {
    for (const { language, t: texts } of languages) {
      const over = renderCheckout(pageOf(state, { language, isFresh: true }));
      t.true(over.includes(`href="${PATH}?late=1">${escaped(texts.alreadySent)}</a>`));
      t.regex(over, BY_ITSELF);
      const late = renderCheckout(pageOf(state, { language, isLate: true, isFresh: true }));
      t.true(late.includes(escaped(texts.late('Alo Store').text)));
      for (const { channel } of METHODS) t.regex(cardOf(late, channel), /<textarea/);
      t.notRegex(late, /data-copy=|01711000001|1234567890123/);
      t.false(late.includes(escaped(texts.alreadySent)));
      t.notRegex(late, BY_ITSELF);
    }
  });

  test(`a payment that is ${state} offers nothing where the shop is suspended`, (t) => {
    t.false(renderCheckout(pageOf(state, {}, { methods: [] })).includes('late=1'));
  });
}

test('of a payment that expired while its id waited the page says that the id is kept, and leads nobody away', (t) => {
  const KEPT = [
    ['mfs_a', 'id', CLAIMED],
    ['qr_interbank', 'number', '01712345678'],
    ['exchange_pay', 'order', '312345678901234567'],
    ['bep20', 'hash', '0x9c2f41e7'],
  ] as const;
  for (const { language, t: texts } of languages) {
    for (const [channel, kind, reference] of KEPT) {
      const claim = { channel, reference, at: NOW, isWaiting: true, refusedFor: null, camePaisa: null };
      const own = renderCheckout(pageOf('expired', { language, isFresh: true, isPayer: true }, { claim }));
      const { kept, yours, correct } = texts.given[kind];
      t.true(visible(own).includes(`${kept} ${texts.expiredKept.text}`), own);
      t.true(visible(own).includes(`${yours} ${reference}`));
      t.true(own.includes(`href="${PATH}?late=1">${escaped(correct.title)}</a>`));
      t.notRegex(own, BY_ITSELF);
      t.false(own.includes(escaped(texts.goingBack('Alo Store'))));
      t.regex(own, /<a id="back" class="button" href="https:\/\/shop\.example\/ok/);
      for (const text of [texts.alreadySent, texts.expired.text]) t.false(own.includes(escaped(text)), text);
      const other = renderCheckout(pageOf('expired', { language, isFresh: true }, { claim }));
      t.true(other.includes(escaped(kept)));
      t.false(other.includes(reference), 'only the browser that gave it is shown it');
    }
  }
});

test('a payer whose kept id was wrong can correct it, and sees no number to pay to', (t) => {
  for (const { language, t: texts } of languages) {
    const claim = {
      channel: 'mfs_a',
      reference: CLAIMED,
      at: NOW,
      isWaiting: true,
      refusedFor: null,
      camePaisa: null,
    } as const;
    const html = renderCheckout(pageOf('expired', { language, isLate: true, isPayer: true }, { claim }));
    t.true(html.includes(escaped(texts.given.id.correct.text)));
    t.regex(cardOf(html, 'mfs_a'), /<textarea/);
    t.notRegex(html, /data-copy=|01711000001|\?late=1/);
    t.false(html.includes(escaped(texts.late('Alo Store').title)));
  }
});

test('warns the payer if the pending id is unlike those of its wallet', (t) => {
  for (const { language, t: texts } of languages) {
    const waiting = (channel: PayChannel, reference: string, isPayer = true) => {
      const claim = { channel, reference, at: NOW, isWaiting: true, refusedFor: null, camePaisa: null };
      return renderCheckout(pageOf('waiting', { language, isPayer }, { claim }));
    };
    const odd = escaped(texts.oddClaim(texts.wallets.mfs_a.name));
    t.true(waiting('mfs_a', '72KXP9QD').includes(odd));
    t.false(waiting('mfs_a', '72KXP9QD', false).includes(odd));
    t.false(waiting('mfs_a', 'DH15ABC1K9').includes(odd));
    t.true(waiting('mfs_b', 'ABC123').includes(escaped(texts.oddClaim(texts.wallets.mfs_b.name))));
    t.false(waiting('bank', 'FT1').includes('<p class="note">'));
  }
});

test('the sum on top is called the one to pay only where it is the same whichever way one pays', (t) => {
  for (const { language, t: texts } of languages) {
    const label = (methods: Checkout['methods']) =>
      /<div class="due">\n<p><span>(.*?)<\/span>/.exec(
        renderCheckout(pageOf('open', { language }, { methods })),
      )?.[1];
    t.is(label(METHODS.slice(1)), texts.toPay);
    t.is(label(METHODS), texts.amount);
    t.is(label([]), texts.amount);
  }
});

test('cancelling refers to a field only if there is one', (t) => {
  for (const { language, t: texts } of languages) {
    for (const state of ['open', 'waiting'] as const) {
      const full = renderCheckout(pageOf(state, { language }));
      t.true(full.includes(`<p>${escaped(texts.cancelText)}</p>`));
      const bare = renderCheckout(pageOf(state, { language }, { methods: [] }));
      t.true(bare.includes(`<p>${escaped(texts.cancelTextNoForm)}</p>`));
      t.false(bare.includes(escaped(texts.cancelText)));
    }
  }
});

test('a bank reference is typed no longer than one may be', (t) => {
  t.regex(cardOf(renderCheckout(pageOf('open')), 'bank'), /name="reference" rows="1" maxlength="64"/);
});
