/**
 * A real Chromium for tests, one for all tests of a process, and visitors with nothing in common but it. A
 * visitor sees to it that pages stay on this machine and complain of nothing. Knows nothing of what is shown.
 */
import type { TestFn } from 'ava';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { tlsPair } from '../network/tls-pair.js';
import type { Owner } from '../programs/processes.js';

/** Where the shop of the tests lives: another site than the checkout's, as shops are. */
export const SHOP_HOST = 'shop.example';

const HOME_HOSTS = new Set(['127.0.0.1', SHOP_HOST]);

/** What the two languages and the two screens of the tests are made of. */
export const PHONE = { viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true } as const;
export const DESKTOP = { viewport: { width: 1280, height: 800 } } as const;
export const BANGLA = { locale: 'bn-BD' } as const;
export const ENGLISH = { locale: 'en-US' } as const;

/**
 * The first are Chromium's own address bar, which takes pages of its own for each window, and a process kept
 * for a site to come: half of the work of a visit. The others are those that Playwright turns off, because
 * Chromium hears the last such switch alone.
 */
const WITHOUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'TcpPortRandomizationWin',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
  'PreconnectToSearch',
];

const SWITCHES = [
  `--disable-features=${WITHOUT.join(',')}`,
  '--no-sandbox',
  '--disable-gpu',
  // Grey letters, whose pictures are smaller and the same on every screen.
  '--disable-lcd-text',
  '--disable-quic',
  '--disable-sync',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
  '--no-proxy-server',
  `--host-resolver-rules=MAP ${SHOP_HOST} 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1`,
];

/** @returns a browser that trusts the tests' own key and no other. */
export async function launchBrowser(): Promise<Browser> {
  const { fingerprint } = await tlsPair();
  return chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: [...SWITCHES, `--ignore-certificate-errors-spki-list=${fingerprint}`],
    timeout: 120_000,
    // A signal ends the process of the tests and the browser with it. Playwright would end the browser alone.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
}

let shared: Promise<Browser> | undefined;

/** One browser for all tests of this process: started by the first that asks, gone after the last. */
export function browserOf(test: TestFn): () => Promise<Browser> {
  test.after.always('the browser is closed', async () => (await shared)?.close());
  return () => {
    shared ??= launchBrowser();
    return shared;
  };
}

export interface Visitor {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Whatever a page complained of, or asked for elsewhere. Empty, or something is wrong. */
  readonly complaints: readonly string[];
  /** Addresses of all that was asked for, in order. */
  readonly requests: readonly string[];
}

/** A document that says what went wrong is an answer like any other, though browsers log it as an error. */
const ANSWERED = /^Failed to load resource: the server responded with a status of (403|404|409|413|422|429)/;

/** @returns whether an address is that of a page, or of a form on it. */
function isOf(page: string | undefined, url: string): boolean {
  const [bare = ''] = (page ?? '').split('?');
  return url === page || (bare !== '' && url.startsWith(`${bare}/`));
}

/** A customer with a browser of their own: no cookie, cache or clipboard of anybody else. */
export async function visit(
  t: Owner,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext(options);
  t.teardown(() => context.close());
  context.setDefaultTimeout(60_000);
  const complaints: string[] = [];
  const requests: string[] = [];
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    requests.push(request.url());
    const isHere = protocol === 'data:' || (protocol === 'https:' && HOME_HOSTS.has(hostname));
    if (!isHere) complaints.push(`asked for ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    // Forms are sent by the page's own script, to addresses below the page's.
    const isPage = isOf(message.page()?.url(), url);
    if (!(isPage && ANSWERED.test(message.text()))) {
      complaints.push(`${message.type()}: ${message.text()} ${url}`.trimEnd());
    }
  });
  context.on('weberror', (error) => complaints.push(`uncaught: ${error.error().message}`));
  return { context, page: await context.newPage(), complaints, requests };
}

const LOOK_MS = 50;
const TOO_LONG_MS = 60_000;

/** Waits until an expression is true in a page whose policy forbids what Playwright would do for it: eval. */
export async function until(page: Page, expression: string): Promise<void> {
  for (let waited = 0; waited < TOO_LONG_MS; waited += LOOK_MS) {
    if ((await page.evaluate<unknown>(expression)) === true) return;
    await page.waitForTimeout(LOOK_MS);
  }
  throw new Error(`never true in the page: ${expression}`);
}
