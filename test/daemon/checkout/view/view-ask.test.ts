/** What the page says while somebody waits, and where it offers to send a claim to the seller. */
import test from 'ava';
import type { Problem } from '../../../../daemon/checkout/page.js';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import { CLAIMED, cardOf, escaped, languages, METHODS, NOW, PATH, pageOf, TOKEN } from './view-pages.js';

const MINUTE = 60_000;
const FORM = `<form class="ask" method="post" action="${PATH}/ask">`;

function waitingFor(ageMs: number, page: Parameters<typeof pageOf>[1] = {}): string {
  const claim = {
    channel: 'mfs_a',
    reference: CLAIMED,
    at: NOW - ageMs,
    isWaiting: true,
    refusedFor: null,
    camePaisa: null,
  } as const;
  return renderCheckout(pageOf('waiting', { isPayer: true, ...page }, { claim }));
}

/** The panel on top without what is hidden. */
function shown(html: string): string {
  const panel = /<section class="status[\s\S]*?<\/section>/.exec(html)?.[0] ?? '';
  return panel
    .replace(/<(span|p) [^>]*hidden>[\s\S]*?<\/\1>/g, '')
    .replace(/<div data-from="\d+" data-to="" hidden>[\s\S]*?<\/div>/g, '');
}

for (const { language, t: texts } of languages) {
  test(`the waiting page says other things after a minute and after ten, in ${language}`, (t) => {
    const said = [
      { ages: [0, MINUTE - 1], title: texts.waiting, text: texts.given.id.waiting },
      { ages: [MINUTE, 10 * MINUTE - 1], ...texts.waitingOn },
      { ages: [10 * MINUTE, 3_000 * MINUTE], ...texts.waitingLong },
    ];
    for (const { ages, title } of said) {
      for (const age of ages) {
        const panel = shown(waitingFor(age, { language }));
        for (const other of said) {
          t.is(panel.includes(escaped(other.title)), other.title === title, `${other.title} after ${age}`);
          t.is(panel.includes(escaped(other.text)), other.title === title, `${other.text} after ${age}`);
        }
      }
    }
  });

  test(`a page without script says the same, reloads less often, and offers the seller, in ${language}`, (t) => {
    const early = waitingFor(0, { language });
    t.false(shown(early).includes(FORM));
    t.true(early.includes('content="8;url='));
    const late = waitingFor(MINUTE, { language });
    t.true(shown(late).includes(FORM));
    t.true(late.includes('content="30;url='));
  });
}

test('only the browser that gave the id may send it to the seller', (t) => {
  t.false(waitingFor(MINUTE, { isPayer: false }).includes(FORM));
  const form = waitingFor(MINUTE);
  t.true(form.includes(`name="transaction_id" value="${CLAIMED}"`));
  t.true(form.includes(`name="token" value="${TOKEN}"`));
});

test('a waiting page folds the forms and shows no price next to the ways to pay', (t) => {
  const html = waitingFor(0);
  t.regex(html, /<details><summary><h2 id="how">/);
  t.notRegex(html, /<\/h3>\n+<small>/);
  t.regex(waitingFor(0, { isLate: true }), /<h2 id="how">/);
  t.notRegex(waitingFor(0, { isLate: true }), /<details><summary><h2/);
});

test('every mismatch offers the seller next to the typed text, and less money shows the amount due', (t) => {
  const typed = 'TrxID DH15ABC1K9 "of" <today>';
  const of = (problem: Pick<Problem, 'kind'> & { about?: string }) =>
    cardOf(
      renderCheckout(pageOf('open', { problem: { channel: 'mfs_a', typed, ...problem } as Problem })),
      'mfs_a',
    );
  for (const about of ['recipient', 'account_type', 'amount', 'time', 'failed', 'token', 'other_payment']) {
    const card = of({ kind: 'disagrees', about });
    t.true(card.includes(FORM), about);
    t.true(card.includes(`name="transaction_id" value="${escaped(typed)}"`), about);
    t.is(card.includes('123,465.75') || card.includes('১,২৩,৪৬৫.৭৫'), true, about);
  }
  t.true(of({ kind: 'already_credited' }).includes(FORM));
  for (const kind of ['no_reference', 'too_many_attempts', 'stale_form', 'method_unavailable'] as const) {
    t.false(of({ kind }).includes(FORM), kind);
  }
});

test('a customer who sent a claim to the seller can still correct it and is not redirected', (t) => {
  for (const { language, t: texts } of languages) {
    const page = { language, isPayer: true, isFresh: true };
    const html = renderCheckout(pageOf('review', page, { isAsked: true }));
    t.true(html.includes(escaped(texts.review.fresh.title)));
    t.true(html.includes(`href="${PATH}?late=1">${escaped(texts.given.id.correct.title)}`));
    t.notRegex(html, /data-seconds|http-equiv="refresh"/);
    const form = renderCheckout(pageOf('review', { ...page, isLate: true }, { isAsked: true }));
    t.true(form.includes(`action="${PATH}/claim"`));
    t.false(renderCheckout(pageOf('review', page)).includes('?late=1'));
  }
});

test('while an id is looked for, the steps are folded, so that nobody pays twice', (t) => {
  const html = renderCheckout(pageOf('waiting', { language: 'en' }));
  t.is([...html.matchAll(/See again how to send the money<\/summary>\n*<ol>/g)].length, METHODS.length);
});

test('after a minute the number that the money should have gone to is shown for comparison', (t) => {
  for (const { language, t: texts } of languages) {
    const said = escaped(texts.goal('01711000001'));
    t.false(shown(waitingFor(MINUTE - 1, { language })).includes(said));
    t.true(shown(waitingFor(MINUTE, { language })).includes(said));
    t.false(waitingFor(MINUTE, { language, isPayer: false }).includes(said));
    const problem = { kind: 'disagrees', about: 'recipient', channel: 'mfs_a', typed: CLAIMED } as const;
    t.true(cardOf(renderCheckout(pageOf('open', { language, problem })), 'mfs_a').includes(said));
  }
});

test('for a wrong amount the seller is the main choice, and no other price is shown', (t) => {
  const problem = { kind: 'disagrees', about: 'amount', channel: 'mfs_a', typed: CLAIMED } as const;
  const html = renderCheckout(pageOf('open', { language: 'en', problem }));
  t.regex(html, /<button>Send it to the seller<\/button>/);
  t.regex(html, /<button class="plain">Check my payment<\/button>/);
  t.notRegex(html, /class="total"/);
  t.regex(
    html,
    /<details class="other"><summary>Paid another way\?<\/summary><div class="cards">\n*<details class="card mfs_b"/,
  );
  const failed = renderCheckout(pageOf('open', { language: 'en', problem: { ...problem, about: 'failed' } }));
  t.false(failed.includes('Paid another way?'), 'nothing has moved: they pay again');
});

test('of money that its reference names both sums are said, and no id that nobody has typed', (t) => {
  const problem = {
    kind: 'disagrees',
    about: 'amount',
    channel: 'mfs_a',
    typed: CLAIMED,
    camePaisa: 120_000,
  } as const;
  const html = renderCheckout(pageOf('open', { language: 'en', isPayer: true, problem }));
  t.true(html.includes('We received ৳ 1,200.00; the amount due is ৳ 1,23,465.75.'));
  t.false(html.includes(`>${CLAIMED}</textarea>`));
  t.true(html.includes(`name="transaction_id" value="${CLAIMED}"`));
  const claim = {
    channel: 'mfs_a',
    reference: CLAIMED,
    at: NOW,
    isWaiting: false,
    refusedFor: null,
    camePaisa: 13_000_000,
  } as const;
  const more = renderCheckout(pageOf('review', { language: 'en', isPayer: true, isFresh: true }, { claim }));
  t.true(more.includes('Your money has arrived, the seller is checking it'));
  t.true(more.includes('We received ৳ 1,30,000.00; the amount due is ৳ 1,23,465.75.'));
  const other = renderCheckout(pageOf('review', { language: 'en', isFresh: true }, { claim }));
  t.false(other.includes('1,30,000'), 'to that browser alone');
});

test('a bank transfer is shown under the bank’s own word, with a place for the slip that has not come', (t) => {
  const claim = {
    channel: 'bank',
    reference: 'FT 26',
    at: NOW,
    isWaiting: false,
    refusedFor: null,
    camePaisa: null,
  } as const;
  const html = renderCheckout(
    pageOf('review', { language: 'en', isPayer: true, isFresh: true }, { claim, takesSlip: true }),
  );
  t.regex(html, /<dt>Bank reference<\/dt><dd class="id">FT 26</);
  t.false(html.includes('Your transaction ID'));
  t.true(html.includes('name="reference" value="FT 26"'));
  const other = renderCheckout(pageOf('review', { language: 'en' }, { claim, takesSlip: true }));
  t.false(other.includes('FT 26'));
});
