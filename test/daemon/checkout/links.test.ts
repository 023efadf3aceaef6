/** Addresses that people come to by accident: of a form, or of a link that something has spoiled. */
import test from 'ava';
import { openCheckout, PAGES, stateOf } from './browser.js';

test('the address of a form leads back to the page, whether there is one or not', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  for (const form of ['claim', 'bank', 'cancel']) {
    for (const method of ['GET', 'HEAD'] as const) {
      const answer = await browser.visit(`${page}/${form}?transaction_id=X`, { method });
      t.deepEqual([answer.statusCode, answer.headers.location], [303, page], `${method} ${form}`);
    }
    for (const odd of ['0'.repeat(32), 'x%0d%0ay%3fz', '%2F%2Fevil.example']) {
      const answer = await browser.visit(`${PAGES}/${odd}/${form}`);
      t.is(answer.statusCode, 303);
      t.is(String(answer.headers.location).toLowerCase(), `${PAGES}/${odd}`.toLowerCase());
    }
  }
  t.is(stateOf(await browser.visit(page)), 'open');
});

test('a link that was spoiled on its way leads to the clean one, known or not', async (t) => {
  const { browser, open } = await openCheckout(t);
  const tails = [
    ...['%0A', '%20', '.', ')', ',', '&fbclid=1', '%E2%80%8B', '%E2%80%A6', '%2F', 'g', '%20x%0Ay', '?x=1'],
    `&fbclid=${'a'.repeat(500)}`,
  ];
  for (const page of [await open(), `${PAGES}/${'0a'.repeat(16)}`]) {
    const shouted = `${PAGES}/${page.slice(-32).toUpperCase()}`;
    const spoiled = [...tails.filter((tail) => tail !== '?x=1').map((tail) => page + tail), shouted];
    for (const link of [...spoiled, ...tails.map((tail) => shouted + tail)]) {
      for (const method of ['GET', 'HEAD'] as const) {
        const answer = await browser.visit(link, { method });
        t.deepEqual([answer.statusCode, answer.headers.location], [302, page], link);
      }
    }
  }
});

test('a link with extra or missing characters shows the notice', async (t) => {
  const { browser, open } = await openCheckout(t);
  const page = await open();
  for (const link of [
    `${page}0`,
    `${page}A`,
    page.slice(0, -1),
    `${PAGES}/x${page.slice(-32)}`,
    `${page}/x`,
  ]) {
    const answer = await browser.visit(link);
    t.is(answer.statusCode, 404, link);
    t.regex(answer.body, /^<!doctype html>/i);
  }
  t.is((await browser.visit(`${page}.`, { method: 'POST', payload: '' })).statusCode, 405);
});
