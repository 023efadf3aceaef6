/** What is wrong with an id stands beside its field, in words, and what was typed stays in it. */
import test from 'ava';
import { BANGLA, browserOf, DESKTOP, ENGLISH, PHONE, visit } from '../helpers/browser/browser.js';
import { reader, TEXTS } from '../helpers/browser/checkout-page.js';
import { type Checkout, openCheckout, pay } from '../helpers/shop/checkout.js';
import { answer } from '../helpers/shop/scene.js';
import { variants } from '../helpers/tiers.js';

const browser = browserOf(test);

interface Case {
  readonly title: string;
  /** What the customer types, after whatever must have happened before. */
  prepare(checkout: Checkout): Promise<string>;
  words(language: 'bn' | 'en'): string;
}

const cases: readonly Case[] = [
  {
    title: 'a text without an id',
    prepare: async () => 'I have sent it\nlast night',
    words: (language) => TEXTS[language].given.id.none('DH15ABC1K7'),
  },
  {
    title: 'a text with two ids',
    prepare: async () => `${pay('500.00').sent}\n${pay('500.00').sent}`,
    words: (language) => TEXTS[language].problems.several_references,
  },
  {
    title: 'the id of money that paid for something else',
    prepare: async (checkout) => {
      const { trxId, received } = pay('500.00');
      await checkout.deliver(received);
      const order = await checkout.shop.order(50_000);
      await answer(checkout.core, checkout.shop, order, trxId);
      return trxId;
    },
    words: (language) => TEXTS[language].given.id.credited,
  },
  {
    title: 'the id of another amount',
    prepare: async (checkout) => {
      const { trxId, received } = pay('50.00');
      await checkout.deliver(received);
      return trxId;
    },
    words: (language) => TEXTS[language].disagrees.amount,
  },
];

const readers = [
  { language: 'bn', device: { ...PHONE, ...BANGLA } },
  { language: 'en', device: { ...DESKTOP, ...ENGLISH } },
] as const;

for (const { language, device } of variants(readers)) {
  test.serial(
    `in ${language} each problem is shown at the field, which keeps its text and focus`,
    async (t) => {
      const checkout = await openCheckout(t, { everything: true });
      const { page, complaints } = await visit(t, await browser(), device);
      const desk = reader(page, language);
      await page.goto(await checkout.create(500));
      await desk.summary('mfs_a').click();
      for (const { title, prepare, words } of cases) {
        const typed = await prepare(checkout);
        await desk.enter('mfs_a', typed);
        await desk.submit('mfs_a').click();
        const problem = desk.problem('mfs_a').filter({ hasText: words(language) });
        await problem.waitFor();
        const field = desk.field('mfs_a');
        t.is(await field.inputValue(), typed, title);
        t.is(await field.getAttribute('aria-invalid'), 'true', title);
        const described = (await field.getAttribute('aria-describedby')) ?? '';
        t.true(described.split(' ').includes((await problem.getAttribute('id')) ?? 'none'), title);
        t.is(await page.evaluate('document.activeElement.name'), 'transaction_id', title);
      }
      t.deepEqual(complaints, []);
    },
  );
}

test.serial('after too many ids the page says so, and what is still possible', async (t) => {
  const checkout = await openCheckout(t, { env: { KASHBOX_MISSES_PER_SESSION: '1' } });
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...ENGLISH });
  const desk = reader(page, 'en');
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', pay('500.00').trxId);
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  await desk.correct();
  await desk.summary('mfs_a').click();
  const { trxId } = pay('500.00');
  await desk.enter('mfs_a', trxId);
  await desk.submit('mfs_a').click();
  await desk.problem('mfs_a').filter({ hasText: desk.t.problems.too_many_attempts }).waitFor();
  t.is(await desk.field('mfs_a').inputValue(), trxId);
  t.deepEqual(complaints, []);
});

test.serial('an id of an unusual shape is remarked upon, and taken all the same', async (t) => {
  const checkout = await openCheckout(t);
  const { page, complaints } = await visit(t, await browser(), { ...PHONE, ...BANGLA });
  const desk = reader(page, 'bn');
  await page.goto(await checkout.create(500));
  await desk.enter('mfs_a', 'ABC123');
  await desk.field('mfs_a').blur();
  await page.getByText(desk.t.idOdd('DH15ABC1K7')).waitFor();
  await desk.submit('mfs_a').click();
  await desk.says(desk.t.waiting);
  t.deepEqual(complaints, []);
});
