/** The routes of a counter display: what its address gives, what it does not, and the API that drives it. */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { disableLink, updateLink } from '../../../src/actions/links/links.js';
import { personalPayload } from '../../helpers/shop/qr.js';
import { bkashId, bkashText, WALLET } from '../../helpers/shop/shop.js';
import { HOSTED_VERIFY, refusal } from '../api.js';
import { openBrowser } from './browser.js';
import { FORM, openLinks, target } from './link-page.js';

const NUMBER = '01900000001';

async function openCounter(t: ExecutionContext<unknown>) {
  const links = await openLinks(t);
  const { core, shop, browser, press } = links;
  const account = { brand: shop.brand.name, channel: 'mfs_a', type: 'personal', number: WALLET, who: 'test' };
  await setAccount(core, { ...account, details: { qr: personalPayload(WALLET, 'ALO STORE') } });
  const made = await links.create({ display: true, amount: undefined });
  const path = new URL(made.display_url ?? '').pathname;
  /** Presses a button of the page, with its own token and the payment that it shows unless told otherwise. */
  const act = async (form: string, fields: Readonly<Record<string, string>> = {}, by = browser) => {
    const { body } = await by.visit(path);
    const [, token = ''] = /name="token" value="([\w-]{43})"/.exec(body) ?? [];
    const [, payment = ''] = /name="payment" value="(\w+)"/.exec(body) ?? [];
    const payload = new URLSearchParams({ token, payment, ...fields }).toString();
    return by.visit(`${path}/${form}`, { method: 'POST', payload, headers: FORM });
  };
  const state = async () => JSON.parse((await browser.visit(`${path}/state`)).body) as { state?: string };
  return { ...links, made, path, act, state, press };
}

test('the address of a display opens a payment and cancels it, and gives nothing else', async (t) => {
  const { browser, path, act, state, made } = await openCounter(t);
  t.deepEqual(await state(), { state: 'start' });
  t.is((await browser.visit(`${path}/code`)).statusCode, 404, 'nothing to scan');
  t.is(target(await act('show', { amount: '৳ ২৫০' })), path);
  const { state: shown = '' } = await state();
  t.regex(shown, /^open [A-Z0-9]{12}$/);
  const page = await browser.visit(path);
  t.regex(page.body, /৳ (250|২৫০)\.(00|০০)/);
  t.notRegex(page.body, /[0-9a-f]{32}\b(?!')/, 'no id of a session');
  const code = await browser.visit(`${path}/code`);
  t.is(code.headers['content-type'], 'image/svg+xml');
  t.is(code.headers['cache-control'], 'no-store');
  t.is(target(await act('show', { amount: '300' })), path);
  t.deepEqual(await state(), { state: shown }, 'what is open stays');
  t.is(target(await act('done')), path);
  t.deepEqual(await state(), { state: shown });
  t.is(target(await act('cancel', { payment: 'K7Q2M9XW4TZB' })), path);
  t.deepEqual(await state(), { state: shown }, 'of another payment');
  await act('cancel');
  t.deepEqual(await state(), { state: 'start' });
  t.is((await browser.visit(`/pay/${made.id}`)).statusCode, 404, 'customers have no page of it');
  t.is((await browser.visit(`${path.slice(0, -1)}`)).statusCode, 404);
});

test('what is typed wrong is shown with its reason, and no payment is opened', async (t) => {
  const { act, payments } = await openCounter(t);
  const wrong = await act('show', { amount: '0' });
  t.is(wrong.statusCode, 422);
  t.regex(wrong.body, /aria-invalid="true"/);
  t.is((await act('show', { amount: 'x'.repeat(500) })).statusCode, 422);
  await act('show', { amount: '250' });
  const digits = await act('digits', { digits: 'DKS1ABC1K9' });
  t.is(digits.statusCode, 422, 'only a number: no id is tried from here');
  t.regex(digits.body, /id="digits"[^>]*aria-invalid="true"/);
  t.is(await payments(), 1);
});

test('a form of another site, without its token or of an old address does nothing', async (t) => {
  const { core, browser, app, path, act, payments, made } = await openCounter(t);
  const payload = new URLSearchParams({ amount: '250' }).toString();
  const post = (headers: Readonly<Record<string, string>>) =>
    browser.visit(`${path}/show`, { method: 'POST', payload, headers: { ...FORM, ...headers } });
  t.is((await post({ origin: 'https://evil.example' })).statusCode, 403);
  const stale = await post({});
  t.is(stale.statusCode, 403);
  t.true(stale.body.includes('value="250"'), 'what was typed is kept');
  const other = openBrowser(app);
  const token = await browser.tokenOf(path);
  t.is((await act('show', { amount: '250', token }, other)).statusCode, 403, 'the token of another browser');
  t.is(await payments(), 0);
  await updateLink(core, { link: made.id, newDisplay: true, base: 'https://pay.example.com', who: 'test' });
  for (const part of ['', '/state', '/events', '/code']) {
    t.is((await browser.visit(`${path}${part}`)).statusCode, 404, part);
  }
});

test('a customer’s number is looked for, and shown by its end alone', async (t) => {
  const { browser, path, act, core, shop, made } = await openCounter(t);
  await act('show', { amount: '250' });
  const { body } = await browser.visit(path);
  const [, ref = ''] = /<b class="id">([2-9A-Z]{5,6})<\/b>/.exec(body) ?? [];
  const at = core.clock.now();
  await shop.receive(bkashText({ taka: '250.00', trxId: bkashId(at, 1), at, ref }));
  const paid = await browser.visit(path);
  t.regex(paid.body, /data-state="completed [A-Z0-9]{12}"/);
  t.regex(paid.body, /•••(0001|০০০১)/);
  t.false(paid.body.includes(NUMBER));
  t.is(target(await act('done')), path);
  t.regex((await browser.visit(path)).body, /data-state="start"/);
  await disableLink(core, { link: made.id, base: '', who: 'test' });
  t.notRegex((await browser.visit(path)).body, /id="amount"/);
});

test('the API shows an amount of the own brand, once, and clears it', async (t) => {
  const { call, made, state } = await openCounter(t);
  const show = (body: object) => call('/api/v2/display/show', { body: { link: made.id, ...body } });
  const order = { amount: '250.50', description: 'Table 4', idempotency_key: 'till-1' };
  const shown = await show(order);
  t.is(shown.statusCode, 200);
  const { id, gateway_reference: name = '', ...more } = shown.json<Readonly<Record<string, string>>>();
  t.regex(id ?? '', /^[0-9a-f]{32}$/);
  t.regex(more.payment_reference ?? '', /^[2-9A-Z]{5,6}$/);
  t.regex(more.qr_image ?? '', /^https:\/\/.+\/api\/qr\/[0-9a-f]{32}\.png$/);
  t.regex(more.expires_at ?? '', /^\d{4}-\d\d-\d\dT.*\+06:00$/);
  t.deepEqual(await state(), { state: `open ${name}` });
  t.is((await show(order)).json<{ id: string }>().id, id ?? '', 'the same key');
  const verified = await call(HOSTED_VERIFY, { body: { transaction_id: name } });
  t.true(verified.body.includes('PENDING'), verified.body);
  const refusals: [object, string][] = [
    [{ amount: 10 }, `409 The counter display shows payment ${name}, which is still open`],
    [{ amount: 10, link: '222222222222' }, '404 This counter display does not exist'],
    [{ amount: 10, link: undefined }, '400 link is required'],
    [{}, '400 amount is required'],
  ];
  for (const [body, said] of refusals) t.is(refusal(await show(body)), said);
  t.is((await show({ amount: '0.50' })).statusCode, 422);
  const clear = async () => (await call('/api/v2/display/clear', { body: { link: made.id } })).json<object>();
  t.deepEqual(await clear(), { status: true, cancelled: name });
  t.deepEqual(await clear(), { status: true, cancelled: null });
  t.deepEqual(await state(), { state: 'start' });
});
