/** The scripts of the plugin for WooCommerce, with stubs of what WordPress gives them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import type { Page } from 'playwright-core';
import { browserOf, SHOP_HOST, visit } from '../helpers/browser/browser.js';
import { root } from '../helpers/programs/processes.js';

const browser = browserOf(test);
const script = (name: string) => readFileSync(join(root, 'clients/woocommerce/kashbox/assets', name), 'utf8');

/** Elements as the checkout block makes them, drawn without React, and the registry of payment methods. */
const BLOCKS = `
  const createElement = (type, props, ...children) => ({ type, props: { ...props, children } });
  const draw = (element, given) => {
    if (typeof element !== 'object' || element === null) return document.createTextNode(String(element ?? ''));
    const props = { ...element.props, ...given };
    if (typeof element.type === 'function') return draw(element.type(props), {});
    const node = document.createElement(element.type);
    node.append(...element.props.children.map((child) => draw(child, {})));
    return node;
  };
  const PaymentMethodLabel = ({ text }) => createElement('b', null, text);
  const decodeEntities = (text) => {
    const area = document.createElement('textarea');
    area.innerHTML = text;
    return area.value;
  };
  window.methods = [];
  window.wp = { element: { createElement }, htmlEntities: { decodeEntities } };
  window.wc = {
    wcSettings: { getSetting: (name, none) => window.data[name] ?? none },
    wcBlocksRegistry: {
      registerPaymentMethod: (method) => {
        window.methods.push(method);
        document.body.append(draw(method.label, { components: { PaymentMethodLabel } }), draw(method.content, {}));
      },
    },
  };`;

async function open(page: Page, body: string): Promise<void> {
  const url = `https://${SHOP_HOST}/checkout`;
  const html = `<!doctype html><meta charset="utf-8"><body>${body}</body>`;
  await page.route(url, (route) => route.fulfill({ contentType: 'text/html', body: html }));
  await page.goto(url);
}

test('the checkout block shows title and description as text, and offers what the server supports', async (t) => {
  const { page, complaints } = await visit(t, await browser());
  await open(page, '');
  const data = {
    title: 'বিকাশ &amp; Nagad',
    description: '<b>Pay</b> &quot;here&quot;',
    supports: ['products', 'refunds'],
  };
  await page.evaluate(`window.data = ${JSON.stringify({ kashbox_data: data })};${BLOCKS}`);
  await page.addScriptTag({ content: script('blocks.js') });
  t.deepEqual(
    await page.evaluate('window.methods.map(({ name, ariaLabel, supports }) => [name, ariaLabel, supports])'),
    [['kashbox', 'বিকাশ & Nagad', { features: ['products', 'refunds'] }]],
  );
  t.is(await page.evaluate('document.body.innerText.trim()'), 'বিকাশ & Nagad\n<b>Pay</b> "here"');
  t.true(await page.evaluate('window.methods[0].canMakePayment()'));
  t.is(await page.evaluate('typeof window.methods[0].edit'), 'object');
  t.deepEqual(complaints, []);
});

test('the button of the settings shows the sentences of the server as text', async (t) => {
  const { page, complaints } = await visit(t, await browser());
  const button =
    '<button id="kashbox-test" data-nonce="n1" data-action="kashbox_test_connection">Test</button>';
  await open(page, `${button}<ul id="kashbox-test-result"></ul>`);
  const sent: (string | null)[] = [];
  await page.route(`https://${SHOP_HOST}/ajax`, (route) => {
    sent.push(route.request().postData());
    return route.fulfill({ json: { success: true, data: ['The key is <b>wrong</b>.', 'And more.'] } });
  });
  await page.evaluate("window.ajaxurl = '/ajax'");
  await page.addScriptTag({ content: script('settings.js') });
  await page.click('#kashbox-test');
  await page.waitForSelector('li:nth-child(2)');
  t.deepEqual(await page.locator('li').allTextContents(), ['The key is <b>wrong</b>.', 'And more.']);
  t.deepEqual(sent, ['action=kashbox_test_connection&_ajax_nonce=n1']);
  t.deepEqual(complaints, []);
});
