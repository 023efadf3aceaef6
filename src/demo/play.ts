/**
 * What the demo plays, in its order: a shop is set up with the real commands, then a payment is made in each
 * of the two ways in which shops may use the API, and one in USDT where there is a chain to play it on.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { playHeadless } from './headless.js';
import { type Counter, playHosted } from './hosted.js';
import { openNotices } from './notices.js';
import { setUp } from './set-up.js';
import { openShopPage } from './shop-page.js';
import { shopServer } from './shop-server.js';
import type { Stage } from './stage.js';
import type { Steps } from './steps.js';
import { playUsdt } from './usdt.js';

const NO_CHAIN = 'No payment in USDT: the package @foundry-rs/anvil, a chain to play on, is not installed.';

/**
 * @param anvil the program of a chain, or null where there is none.
 * @returns what is there when the demo has been played.
 * @throws KashboxError, or what ended the demo from outside (`Steps.signal`).
 */
export async function play(stage: Stage, steps: Steps, anvil: string | null): Promise<Counter> {
  const { signal } = steps;
  const notices = await openNotices(stage.clock, signal);
  const open = await setUp(stage, steps, notices);
  const server = shopServer(open.daemon, open.brandKey, signal);
  await playHeadless(stage, steps, server, notices);
  // The daemon's own certificate: a visitor whose browser has accepted it there is not warned again here.
  const key = readFileSync(join(stage.places.home, 'tls', 'key.pem'), 'utf8');
  const page = await openShopPage({ certificate: open.daemon.certificate, key }, signal);
  const counter = { open, server, page, notices };
  await playHosted(stage, steps, counter);
  if (anvil === null) steps.skip(NO_CHAIN);
  else await playUsdt(stage, steps, counter, anvil);
  return counter;
}
