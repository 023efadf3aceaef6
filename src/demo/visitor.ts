/**
 * While the demo stays up: a hosted payment for the person who watches. The provider is played: a few seconds
 * after the text was pasted on the page, the shop's phone gets its SMS.
 */
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from './browser.js';
import { type Checkout, type Counter, openCheckout, stateOf } from './hosted.js';
import { isSigned, type Notice } from './notices.js';
import { deliver } from './phone.js';
import type { Stage } from './stage.js';

const AMOUNT = '300.00';
const LOOK_EVERY_MS = 2_000;
/** Long enough to see the page wait, far shorter than a real SMS may take. */
const PROVIDER_TAKES_MS = 4_000;

/** @returns a payment that nobody has begun. */
export function openForVisitor(stage: Stage, counter: Counter): Promise<Checkout> {
  return openCheckout(stage, counter, AMOUNT, () => {});
}

/** Plays the provider, and tells how far the visitor has got. Rejects when the signal is aborted. */
export async function attend(
  stage: Stage,
  counter: Counter,
  checkout: Checkout,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  await Promise.all([
    watchPayment(stage, counter, checkout, signal, tell),
    watchReturns(counter, signal, tell),
    watchNotices(counter, signal, tell),
  ]);
}

async function watchPayment(
  stage: Stage,
  { open }: Counter,
  { url, sms }: Checkout,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  const browser = new Browser(open.daemon.certificate, signal);
  for (;;) {
    await sleep(LOOK_EVERY_MS, undefined, { signal });
    // A look that fails is followed by another: the machine may have slept.
    const state = await stateOf(browser, url).catch(() => 'unknown');
    if (state === 'waiting') break;
  }
  const seconds = PROVIDER_TAKES_MS / 1000;
  tell(`· The page waits for the shop's SMS. The demo sends it in ${seconds} seconds.`);
  await sleep(PROVIDER_TAKES_MS, undefined, { signal });
  await deliver(stage, signal, sms);
  tell("· The SMS is at the shop's phone.");
}

async function watchReturns(
  { page }: Counter,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  for await (const [url] of on(page.returns, 'back', { signal }) as AsyncIterable<[URL]>) {
    const { searchParams: query } = url;
    const [status, reference] = [query.get('status'), query.get('transactionId')];
    const isPaid = status === 'completed';
    const sign = isPaid
      ? "✓ Paid: your browser is at the shop's thank-you page"
      : '· Your browser is back at the shop';
    tell(`${sign}:\n  status=${status}, transactionId=${reference}`);
  }
}

async function watchNotices(
  { notices }: Counter,
  signal: AbortSignal,
  tell: (line: string) => void,
): Promise<void> {
  for await (const [notice] of on(notices.coming, 'heard', { signal }) as AsyncIterable<[Notice]>) {
    const { event, amount } = notice.body;
    const verdict = isSigned(notice) ? 'signature checked' : 'and its signature is WRONG';
    tell(`· The shop's server hears of it: ${event}, ${amount} taka, ${verdict}.`);
  }
}
