/**
 * While the demo stays up: a hosted payment for the person who watches. The provider is played: a few seconds
 * after the text was pasted on the page, the shop's phone gets its SMS.
 */
import { on } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from './browser.js';
import { type Checkout, type Counter, stateOf } from './hosted.js';
import { isSigned, type Notice } from './notices.js';
import { deliver } from './phone.js';
import type { Stage } from './stage.js';

const LOOK_EVERY_MS = 2_000;
/** Long enough to see the page wait, far shorter than a real SMS may take. */
const PROVIDER_TAKES_MS = 4_000;

/** Plays the provider, and reports the progress. Rejects when the demo is over. */
export async function attend(
  stage: Stage,
  { open, page, notices }: Counter,
  checkout: Checkout,
  tell: (line: string) => void,
): Promise<void> {
  const { signal } = stage;
  const watchReturns = async () => {
    for await (const [url] of on(page.returns, 'back', { signal }) as AsyncIterable<[URL]>)
      tell(returned(url));
  };
  const watchNotices = async () => {
    for await (const [notice] of on(notices.coming, 'heard', { signal }) as AsyncIterable<[Notice]>) {
      const { event, amount } = notice.body;
      const verdict = isSigned(notice) ? 'signature checked' : 'and its signature is WRONG';
      tell(`· The shop's server hears of it: ${event}, ${amount} taka, ${verdict}.`);
    }
  };
  const browser = new Browser(open.daemon.certificate, signal);
  await Promise.all([watchPayment(stage, browser, checkout, tell), watchReturns(), watchNotices()]);
}

async function watchPayment(
  stage: Stage,
  browser: Browser,
  { url, sms }: Checkout,
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
