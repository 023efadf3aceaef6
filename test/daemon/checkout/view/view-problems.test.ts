/** What the page says when a form comes back, and that nothing which somebody typed becomes markup. */
import test from 'ava';
import type { Problem } from '../../../../daemon/checkout/page.js';
import type { Texts } from '../../../../daemon/checkout/texts/en.js';
import { renderCheckout, renderNotice } from '../../../../daemon/checkout/view.js';
import { cardOf, escaped, languages, METHODS, NOW, pageOf, STATES, withoutScript } from './view-pages.js';

interface Case {
  readonly problem: Problem;
  readonly words: (t: Texts) => string;
}

const WALLET_KINDS = ['several_references', 'too_many_attempts', 'method_unavailable', 'over'] as const;
const BANK_KINDS = ['slip_unreadable', 'slip_too_large', 'too_many_attempts', 'method_unavailable'] as const;
const ABOUT = ['recipient', 'account_type', 'amount', 'time'] as const;

const typed = 'what was typed';
const cases: readonly Case[] = [
  {
    problem: { channel: 'mfs_b', kind: 'no_reference', typed },
    words: (t) => t.given.id.none('72KXP9QD'),
  },
  { problem: { channel: 'bank', kind: 'no_reference', typed }, words: (t) => t.noBankReference },
  ...WALLET_KINDS.map((kind): Case => {
    return { problem: { channel: 'mfs_d', kind, typed }, words: (t) => t.problems[kind] };
  }),
  ...BANK_KINDS.map((kind): Case => {
    return { problem: { channel: 'bank', kind, typed }, words: (t) => t.problems[kind] };
  }),
  ...ABOUT.map((about): Case => {
    return {
      problem: { channel: 'mfs_a', kind: 'disagrees', about, typed },
      words: (t) => t.disagrees[about],
    };
  }),
];

for (const { problem, words } of cases) {
  const name = problem.kind === 'disagrees' ? `disagrees about ${problem.about}` : problem.kind;
  test(`${name} on ${problem.channel} is shown at the field with the typed text, and linked from the top`, (t) => {
    for (const { language, t: texts } of languages) {
      const html = renderCheckout(pageOf('open', { language, problem }));
      const said = escaped(words(texts));
      const card = cardOf(html, problem.channel);
      t.true(card.startsWith(`<details class="card ${problem.channel}" open>`));
      t.true(card.includes(` role="alert">${said}</p>`), said);
      t.regex(card, / aria-invalid="true"/);
      t.true(card.includes(`>${typed}</textarea>`));
      const [, field] = /id="([\w-]+)-note" class="note" role="alert"/.exec(card) ?? [];
      t.true(html.includes(`<a href="#${field}">${escaped(texts.problemBelow)}</a>`), field);
      t.is(html.replace(/ data-unreadable=".*?"/g, '').split(said).length, 2, 'it is said once');
      t.is([...html.matchAll(/role="alert"/g)].length, 1);
      t.is([...html.matchAll(/<details class="card \w+" open>/g)].length, 1);
      t.true(card.includes(escaped(texts.stepsAgain)), 'the steps are folded');
      t.false(html.includes(escaped(texts.choose.title)), 'a way is chosen already');
    }
  });
}

test('a problem with a slip is shown at the slip, not at the reference', (t) => {
  const problem = { channel: 'bank', kind: 'slip_too_large', typed: 'FT123' } as const;
  const card = cardOf(renderCheckout(pageOf('open', { problem })), 'bank');
  t.regex(card, /<p id="slip-note" class="note" role="alert">/);
  t.regex(card, /<p id="id-bank-note" class="note"><\/p>/);
});

test('a problem with a way to pay that is gone is said on top, and no card is open', (t) => {
  const problem = { channel: 'mfs_c', kind: 'method_unavailable', typed: '4123456789' } as const;
  for (const { language, t: texts } of languages) {
    const page = pageOf('open', { language, problem }, { methods: METHODS.slice(0, 2) });
    const html = renderCheckout(page);
    t.true(html.includes(` role="alert">${escaped(texts.problems.method_unavailable)}</p>`));
    t.false(html.includes(escaped(texts.problemBelow)));
    t.notRegex(html, /<details class="card \w+" open>|href="#id/);
  }
});

test('a problem after the time was over brings the form back', (t) => {
  const problem = { channel: 'mfs_a', kind: 'no_reference', typed: 'x' } as const;
  const html = renderCheckout(pageOf('expired', { problem, isLate: true }));
  t.regex(cardOf(html, 'mfs_a'), /role="alert"[\s\S]*<button>/);
});

const EVIL = `"><script>alert(1)</script><img src=x onerror=alert(1)> & Co ' ৳ \${7*7} <%= 7*7 %>`;

test('nothing that a shop, an operator or a customer wrote becomes markup', (t) => {
  const brand = { name: EVIL, mobile: EVIL, whatsapp: EVIL, email: EVIL };
  const methods = METHODS.map((method) => ({
    ...method,
    accounts: [{ type: 'personal', number: EVIL, details: { bank_name: EVIL, holder: EVIL, qr: EVIL } }],
  }));
  const channel = 'mfs_a';
  const claim = {
    channel,
    reference: EVIL,
    at: NOW,
    isWaiting: true,
    refusedFor: null,
    camePaisa: null,
  } as const;
  const paid = { channel, reference: EVIL, paidPaisa: 1, feePaisa: 1, recipient: EVIL, at: 0 } as const;
  const facts = { brand, methods, claim, paid, cusName: EVIL, gatewayReference: EVIL };
  const problem = { channel: 'mfs_a', kind: 'no_reference', typed: EVIL } as const;
  const get = { method: 'GET', url: `https://shop.example/?a=${EVIL}` } as const;
  const post = { method: 'POST', url: get.url, parameters: [[EVIL, EVIL]] } as const;
  for (const state of STATES) {
    for (const back of [get, post]) {
      const more = { back, problem, token: EVIL, path: `/${EVIL}`, isPayer: true, isFresh: true };
      const html = renderCheckout(pageOf(state, more, facts));
      t.is([...html.matchAll(/<script/g)].length, 1, 'the page has its own script only');
      t.notRegex(html, /<img src=x|<\/script><img/);
      t.true(html.includes(`<h1>${escaped(EVIL)}</h1>`));
      t.deepEqual(openTags(html), [], 'every tag is closed where it was opened');
    }
  }
});

const VOID = ['meta', 'link', 'input', 'img', 'br', 'circle', 'path', '!doctype'];

/** Names of elements that are not closed in the order of their opening. */
function openTags(html: string): string[] {
  const open: string[] = [];
  const markup = withoutScript(html);
  for (const [, slash, name = ''] of markup.matchAll(/<(\/?)([a-z!][a-z0-9]*)(?:[^>"]|"[^"]*")*>/g)) {
    if (VOID.includes(name)) continue;
    if (slash === '') open.push(name);
    else if (open.pop() !== name) return [...open, `/${name}`];
  }
  return open;
}

test('every page is well formed, and each referenced id exists exactly once', (t) => {
  const problem = { channel: 'bank', kind: 'slip_unreadable', typed: 'x' } as const;
  const pages = [
    ...STATES.flatMap((state) => [
      renderCheckout(pageOf(state)),
      renderCheckout(pageOf(state, { isLate: true })),
    ]),
    renderCheckout(pageOf('open', { problem })),
    renderNotice({ language: 'bn', notice: 'unavailable', retryPath: '/x' }),
  ];
  for (const html of pages) {
    t.deepEqual(openTags(html), []);
    const ids = [...html.matchAll(/ id="(.*?)"/g)].map(([, id]) => id);
    t.deepEqual(ids, [...new Set(ids)]);
    const named = [...html.matchAll(/ (?:for|aria-describedby|aria-labelledby|href)="(#?)(.*?)"/g)];
    for (const [whole, hash, names = ''] of named) {
      if (whole.includes('href') && hash === '') continue;
      for (const name of names.split(' ')) t.true(ids.includes(name), name);
    }
  }
});
