/**
 * Runs the third part of the demo: one hosted payment (API v1). The shop sends its customer to the checkout
 * page, where they paste the SMS of their wallet; when the shop's phone has received its own SMS, the page
 * redirects them to the shop. Each step fails if the API does not follow the spec.
 */
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser, findRefreshUrl, type WebPage } from './browser.js';
import type { DemoEnv } from './demo-env.js';
import { expectCompleted } from './headless.js';
import { createWalletSms, deliver, type OpenShop, PHONE, SHOP_NUMBER, type WalletSms } from './set-up.js';
import {
  expectNotification,
  isSigned,
  type Notices,
  type ShopNotification,
  type ShopPage,
  type ShopServer,
} from './shop.js';
import { assertResult, duration, type Say, type Steps, shellWord, shortJson } from './steps.js';

const AMOUNT = '750.00';
const CREATE = '/api/payment/create';
const VERIFY = '/api/payment/verify';

export interface DemoContext {
  readonly open: OpenShop;
  readonly server: ShopServer;
  readonly page: ShopPage;
  readonly notices: Notices;
}

/** A payment that waits for its customer, and the two SMS that paying it brings. */
export interface HostedPayment {
  readonly url: string;
  readonly sms: WalletSms;
}

/** @throws KashboxError, or what ended the demo from outside (`Stage.signal`). */
export async function playHosted(stage: DemoEnv, steps: Steps, counter: DemoContext): Promise<void> {
  const browser = new Browser(stage.signal);
  const { url, sms } = await steps.run('checkout', 'The shop asks for a checkout page: 750 taka', (say) =>
    openCheckout(stage, counter, AMOUNT, say),
  );
  const page = await steps.run('page', 'The customer opens the page', (say) =>
    openCheckoutPage(browser, url, say),
  );
  const waiting = await steps.run('paste', 'The customer pastes the SMS of their wallet', (say) =>
    paste(browser, page, sms, say),
  );
  const { done, at } = await steps.run('told', "The shop's SMS comes, and the page knows it", (say) =>
    settle(stage, browser, waiting, sms, say),
  );
  const told = { event: 'payment.completed', session_id: url.slice(-32), transaction_id: sms.trxId };
  const body = { ...told, amount: AMOUNT, status: 'COMPLETED' };
  await steps.run('heard', "The shop's server has heard of it too", (say) =>
    expectNotification(counter.notices, body, { at, what: 'the SMS arrived' }, say),
  );
  await steps.run('return', 'The page sends the customer back to the shop', (say) =>
    returnToShop(browser, done, sms, counter.page, say),
  );
  await steps.run('check', 'The shop believes the gateway, not the browser', async (say) => {
    const answer = await counter.server.postForm(VERIFY, { transaction_id: sms.trxId }, say);
    expectCompleted(answer, { amount: AMOUNT });
  });
}

/**
 * Creates a hosted payment, as a shop does, and both SMS that paying it causes; they are not delivered yet.
 * @param amount taka with two decimals.
 */
export async function openCheckout(
  stage: DemoEnv,
  { open, server, page }: DemoContext,
  amount: string,
  say: Say,
): Promise<HostedPayment> {
  const back = { success_url: page.successUrl, cancel_url: page.cancelUrl };
  const fields = { amount, cus_name: 'Second customer', ...back };
  const { status, body } = await server.postForm(CREATE, fields, say);
  const { payment_url: url } = body;
  const wanted = `${open.daemon.url}/api/execute/`;
  const isLink = typeof url === 'string' && url.startsWith(wanted) && /\/[0-9a-f]{32}$/.test(url);
  assertResult(status === 200 && isLink, `200 with a link ${wanted}…`, `${status} ${shortJson(body)}`);
  return { url, sms: createWalletSms(stage, amount) };
}

async function openCheckoutPage(browser: Browser, url: string, say: Say): Promise<WebPage> {
  say('>', `GET ${pathOf(url)}`);
  const page = await browser.open(url);
  say('<', `${page.status}  a page of ${sizeOf(page.html)}  (${duration(page.ms)})`);
  const isWhole = page.html.includes(SHOP_NUMBER) && page.html.includes('750');
  assertResult(page.status === 200 && isWhole, '200 with number and amount', `${page.status} without them`);
  say('.', `in English, because this browser asks for it; Bangla without`);
  return page;
}

async function paste(browser: Browser, page: WebPage, { sentBody }: WalletSms, say: Say): Promise<WebPage> {
  say('.', sentBody);
  say('>', `POST ${pathOf(page.url)}/claim  method=mfs_a & transaction_id=Send Money Tk …`);
  const waiting = await browser.submit(page, '/claim', { method: 'mfs_a', transaction_id: sentBody });
  const state = await stateOf(browser, page.url);
  say('<', `${waiting.status}  the page, which is "${state}" now  (${duration(waiting.ms)})`);
  assertResult(
    waiting.status === 200 && state === 'waiting',
    'a waiting page',
    `${waiting.status} "${state}"`,
  );
  return waiting;
}

async function settle(stage: DemoEnv, browser: Browser, waiting: WebPage, sms: WalletSms, say: Say) {
  const { heard } = await browser.listen(`${waiting.url}/events`, 'payment.updated');
  say('.', `${sms.sender}: ${sms.body}`);
  const [{ at }] = await Promise.all([deliver(stage, sms), heard]);
  say('<', `event: payment.updated  (${duration(performance.now() - at)} after the SMS arrived)`);
  const state = await stateOf(browser, waiting.url);
  assertResult(state === 'completed', 'a completed page', `"${state}"`);
  return { done: await browser.open(`${waiting.url}?now=1`), at };
}

async function returnToShop(
  browser: Browser,
  done: WebPage,
  { trxId }: WalletSms,
  { successUrl }: ShopPage,
  say: Say,
): Promise<void> {
  const target = findRefreshUrl(done.html) ?? '';
  const parameters = `paymentMethod=mfs_a&transactionId=${trxId}&paymentAmount=${AMOUNT}&paymentFee=0.00&status=completed`;
  say('>', `GET ${target.replaceAll('&', ' & ')}`);
  assertResult(target === `${successUrl}&${parameters}`, `${successUrl}&${parameters}`, `"${target}"`);
  const shopPage = await browser.open(target);
  say('<', `${shopPage.status}  the shop's thank-you page; its own query "order=7" is kept`);
  assertResult(shopPage.status === 200, "200 from the shop's page", String(shopPage.status));
}

/** @returns the state that a page's script polls if its event stream breaks. */
async function stateOf(browser: Browser, url: string): Promise<string> {
  const { html } = await browser.open(`${url}/state`);
  return String((JSON.parse(html) as { readonly state?: unknown }).state);
}

/** "/api/execute/3f2a…" */
function pathOf(url: string): string {
  return new URL(url).pathname.replace(/([0-9a-f]{8})[0-9a-f]{24}/, '$1…');
}

function sizeOf(html: string): string {
  return `${(Buffer.byteLength(html) / 1024).toFixed(1)} KiB`;
}

const LOOK_EVERY_MS = 2_000;
/** Long enough to see the page wait, far shorter than a real SMS may take. */
const PROVIDER_TAKES_MS = 4_000;

/** Plays the provider, and reports the progress. Rejects when the demo is over. */
export async function runProvider(
  stage: DemoEnv,
  { page, notices }: DemoContext,
  checkout: HostedPayment,
  tell: (line: string) => void,
): Promise<void> {
  const { signal } = stage;
  const watchReturns = async () => {
    for await (const [url] of on(page.returns, 'back', { signal }) as AsyncIterable<[URL]>)
      tell(returned(url));
  };
  const watchNotices = async () => {
    for await (const [notice] of on(notices.coming, 'heard', { signal }) as AsyncIterable<
      [ShopNotification]
    >) {
      const { event, amount } = notice.body;
      const verdict = isSigned(notice) ? 'signature checked' : 'and its signature is WRONG';
      tell(`· The shop's server hears of it: ${event}, ${amount} taka, ${verdict}.`);
    }
  };
  const browser = new Browser(signal);
  await Promise.all([watchPayment(stage, browser, checkout, tell), watchReturns(), watchNotices()]);
}

async function watchPayment(
  stage: DemoEnv,
  browser: Browser,
  { url, sms }: HostedPayment,
  tell: (line: string) => void,
): Promise<void> {
  const { signal } = stage;
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    // A look that fails is followed by another: the machine may have slept.
    const state = await stateOf(browser, url).catch(() => 'unknown');
    if (state === 'waiting') break;
  }
  const seconds = PROVIDER_TAKES_MS / 1000;
  tell(`· The page waits for the shop's SMS. The demo sends it in ${seconds} seconds.`);
  await sleep(PROVIDER_TAKES_MS, undefined, { signal });
  await deliver(stage, sms);
  tell("· The SMS is at the shop's phone.");
}

function returned({ searchParams: query }: URL): string {
  const [status, reference] = [query.get('status'), query.get('transactionId')];
  const sign =
    status === 'completed'
      ? "✓ Paid: your browser is at the shop's thank-you page"
      : '· Your browser is back at the shop';
  return `${sign}:\n  status=${status}, transactionId=${reference}`;
}

/**
 * @returns lines that invite the user to pay in a browser. The text to paste is a single line, so that it can
 * be copied.
 */
export function invitation({ url, sms }: HostedPayment): string[] {
  return [
    'Now pay by yourself, within an hour: open this in a browser on this machine.',
    'It will warn you of the certificate, which the demo made for itself; go on.',
    '',
    url,
    '',
    'Choose bKash, open “Enter the transaction ID”, and paste this text, as if your bKash had sent it to you:',
    '',
    sms.sentBody,
  ];
}

/** @returns lines; those that are indented are commands for a POSIX shell, to be run in their order. */
export function suggestedCommands(stage: DemoEnv, { open: { daemon, brandKey } }: DemoContext): string[] {
  const { home, inbox } = stage.places;
  const { sender, body, trxId } = createWalletSms(stage, '250.00');
  const post = (path: string) => [
    `curl -sS --cacert "$KASHBOX_HOME/tls/cert.pem" ${daemon.url}/api/v2/payment/${path} \\`,
    `  -H "BRAND-KEY: $BRAND_KEY" -H 'Content-Type: application/json' \\`,
  ];
  const [createUrl = '', createHeaders = ''] = post('create');
  const blocks: readonly (readonly [said: string, commands: readonly string[]])[] = [
    [
      'To try the API, open a second terminal and set up these three:',
      [
        `export KASHBOX_HOME=${shellWord(home)}`,
        `export BRAND_KEY=${brandKey}`,
        `kashbox() { ${shellWord(process.execPath)} ${shellWord(stage.program('kashbox', []).script)} "$@"; }`,
      ],
    ],
    [
      'Look around:',
      [
        'kashbox payments list',
        'kashbox sms list',
        'kashbox webhooks list',
        `kashbox devices show ${shellWord(PHONE)}`,
      ],
    ],
    [
      "Ask for a payment of 250 taka, as a shop's server does, and look at it:",
      [
        `PAYMENT=$(${createUrl}`,
        createHeaders,
        `  -d '{"cus_name":"Third customer","amount":250}' | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')`,
        'kashbox payments show "$PAYMENT"',
      ],
    ],
    [
      'Let its SMS arrive at the phone (renamed into place, so that it arrives whole):',
      [
        `INBOX=${shellWord(inbox)}`,
        `echo '${JSON.stringify({ sender, body })}' > "$INBOX/sms-2.part"`,
        'mv "$INBOX/sms-2.part" "$INBOX/sms-2.json"',
      ],
    ],
    [
      'Verify it. Before the SMS is there the answer is 404, a second later COMPLETED:',
      [...post('verify'), `  -d '{"id":"'"$PAYMENT"'","method":"mfs_a","transaction_id":"${trxId}"}'`],
    ],
  ];
  return [
    ...blocks.flatMap(([said, commands]) => [said, '', ...commands.map((line) => `  ${line}`), '']),
    'Of USDT, Binance Pay and Bangla QR see docs/usdt.md and docs/bangla-qr.md.',
  ];
}
