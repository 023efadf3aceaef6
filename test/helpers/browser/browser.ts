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
  'IsolateOrigins',
  'site-per-process',
];

const SWITCHES = [
  `--disable-features=${WITHOUT.join(',')}`,
  // One process draws all pages of a profile: each new one takes a quarter of a second.
  '--disable-site-isolation-trials',
  '--renderer-process-limit=1',
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

/** A window, with what its pages have complained of and asked for since its visitor has come. */
interface Window {
  readonly context: BrowserContext;
  readonly page: Page;
  complaints: string[];
  requests: string[];
}

/** By options: windows whose visitors have gone. */
const empty = new WeakMap<Browser, Map<string, Window[]>>();

function emptyWindows(browser: Browser, options: BrowserContextOptions): Window[] {
  const ofBrowser = empty.get(browser) ?? new Map<string, Window[]>();
  empty.set(browser, ofBrowser);
  const key = JSON.stringify(options);
  const windows = ofBrowser.get(key) ?? [];
  ofBrowser.set(key, windows);
  return windows;
}

async function openWindow(browser: Browser, options: BrowserContextOptions): Promise<Window> {
  // What turns while a page waits would take a tenth of the processor.
  const context = await browser.newContext({ reducedMotion: 'reduce', ...options });
  context.setDefaultTimeout(60_000);
  const window: Window = { context, page: await context.newPage(), complaints: [], requests: [] };
  context.on('request', (request) => {
    const { protocol, hostname } = new URL(request.url());
    window.requests.push(request.url());
    const isHere = protocol === 'data:' || (protocol === 'https:' && HOME_HOSTS.has(hostname));
    if (!isHere) window.complaints.push(`asked for ${request.url()}`);
  });
  context.on('console', (message) => {
    if (message.type() !== 'error' && message.type() !== 'warning') return;
    const { url } = message.location();
    // Forms are sent by the page's own script, to addresses below the page's.
    const isPage = isOf(message.page()?.url(), url);
    if (!(isPage && ANSWERED.test(message.text()))) {
      window.complaints.push(`${message.type()}: ${message.text()} ${url}`.trimEnd());
    }
  });
  context.on('weberror', (error) => window.complaints.push(`uncaught: ${error.error().message}`));
  return window;
}

/** Leaves a window as if it were new. */
async function clean({ context, page }: Window): Promise<void> {
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.goto('about:blank');
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.clearCookies();
}

/**
 * A customer with no cookie of anybody else. Their window may be one that a test before this had: opening one
 * takes half a second. What it was told of routes and networks is forgotten; who tells it more (its clock,
 * scripts for each page, size, colours, where Back leads) takes `visitAlone`.
 */
export async function visit(
  t: Owner,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const windows = emptyWindows(browser, options);
  const window = windows.pop() ?? (await openWindow(browser, options));
  window.complaints = [];
  window.requests = [];
  t.teardown(async () => {
    const isClean = await clean(window).then(
      () => true,
      () => false,
    );
    // What cannot be left, such as a page that is still failing to load, is nobody's.
    if (isClean) windows.push(window);
    else await window.context.close();
  });
  const { context, page, complaints, requests } = window;
  return { context, page, complaints, requests };
}

/** A customer with a browser of their own, which nobody has had and nobody gets. */
export async function visitAlone(
  t: Owner,
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Visitor> {
  const window = await openWindow(browser, options);
  t.teardown(() => window.context.close());
  return window;
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
