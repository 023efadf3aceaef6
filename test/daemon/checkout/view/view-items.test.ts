/** The order lines and the description of a payment on its page. */
import test from 'ava';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import { escaped, languages, pageOf, STATES, visible } from './view-pages.js';

const EVIL = `</li><script>alert("1")</script>'&`;
const DESCRIPTION = `Eid order <b>${EVIL}`;
const ITEMS = [
  { name: `জামা ${EVIL}`, quantity: 12, pricePaisa: 12_345_650 },
  { name: 'Discount', quantity: 1, pricePaisa: -5_000 },
  { name: 'Gift', quantity: 1, pricePaisa: 0 },
];
const LINES = {
  en: ['12 × ৳ 1,23,456.50', '৳ 14,81,478.00', '−৳ 50.00', '৳ 0.00'],
  bn: ['১২ × ৳ ১,২৩,৪৫৬.৫০', '৳ ১৪,৮১,৪৭৮.০০', '−৳ ৫০.০০', '৳ ০.০০'],
};

test('the page lists the order lines with quantity, price and total, as text and in its digits', (t) => {
  for (const { language } of languages) {
    const html = renderCheckout(pageOf('open', { language }, { items: ITEMS, description: DESCRIPTION }));
    t.true(html.includes(`<p>${escaped(DESCRIPTION)}</p>`));
    for (const { name } of ITEMS) t.true(html.includes(escaped(name)));
    const text = visible(html);
    for (const part of LINES[language]) t.true(text.includes(part), part);
    t.notRegex(text, /[1১] ×/);
    t.is([...html.matchAll(/<script/g)].length, 1);
  }
});

test('up to three lines are shown open, and more are folded under their number', (t) => {
  const pageWith = (count: number, language: 'bn' | 'en') => {
    const items = Array.from({ length: count }, (_, index) => ({
      ...{ name: `Item ${index}`, quantity: 1, pricePaisa: 100 },
    }));
    return renderCheckout(pageOf('open', { language }, { items }));
  };
  const FOLDED = /<details><summary>([^<]+)<\/summary>\s*<ul class="items"/;
  t.regex(pageWith(3, 'en'), /<ul class="items" aria-label="Order \(3\)"/);
  t.notRegex(pageWith(3, 'en'), FOLDED);
  t.is(FOLDED.exec(pageWith(4, 'en'))?.[1], 'Order (4)');
  t.is(FOLDED.exec(pageWith(50, 'bn'))?.[1], 'অর্ডার (৫০)');
});

test('a payment without lines and description has neither on its page', (t) => {
  t.false(renderCheckout(pageOf('open')).includes('class="items"'));
  const described = renderCheckout(pageOf('open', {}, { description: 'Only this' }));
  t.true(described.includes('<p>Only this</p>'));
  t.false(described.includes('class="items"'));
});

test('once a payment is claimed or over, only its payer sees the order', (t) => {
  const order = { items: [{ name: 'Secret shirt', quantity: 1, pricePaisa: 1 }], description: 'Secret note' };
  for (const state of STATES.filter((state) => state !== 'open')) {
    for (const isPayer of [false, true]) {
      const html = renderCheckout(pageOf(state, { isPayer }, order));
      t.is(html.includes('Secret shirt'), isPayer, state);
      t.is(html.includes('Secret note'), isPayer, state);
    }
  }
});
