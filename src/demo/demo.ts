/**
 * One run of the demo from its throw-away folder to the last child's end, whatever happens in between:
 * Ctrl-C, a failing step, a crashed program. Prints nothing itself.
 */
import { readFileSync, rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKashboxError, type KashboxError } from '../base/errors/errors.js';
import { systemClock } from '../base/values/clock.js';
import { systemRandom } from '../base/values/ids.js';
import { ChildProcesses } from '../cli/programs/child-processes.js';
import { type DemoEnv, demoPaths, programs } from './demo-env.js';
import { playHeadless } from './headless.js';
import { type DemoContext, type HostedPayment, openCheckout, playHosted, runProvider } from './hosted.js';
import { setUp } from './set-up.js';
import { openNotices, openShopPage, shopServer } from './shop.js';
import { DemoInterrupted, type Step, type StepReporter, Steps } from './steps.js';
import { playUsdt } from './usdt.js';

interface DemoOptions {
  /** Folder of this package. */
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  /** Program of a chain for a payment in USDT, which is left out without one. */
  readonly anvil: string | null;
  /** HTTPS port; a free one is taken where it is not free. */
  readonly port: number;
  readonly audience: StepReporter;
  /** True to keep running until Ctrl-C after all steps have passed. */
  readonly stays: boolean;
  onPlayed(played: DemoRun): void;
  /** Reports, while the demo keeps running, the progress of the user's payment in one line. */
  onChange(line: string): void;
}

export interface DemoRun {
  readonly steps: readonly Step[];
  /** Reasons why parts of the demo were skipped. */
  readonly skipped: readonly string[];
  readonly stage: DemoEnv;
  readonly counter: DemoContext;
  /** Payment for the user to make; null if the demo does not keep running. */
  readonly checkout: HostedPayment | null;
}

type DemoEnd =
  | { readonly outcome: 'held' }
  /** Ctrl-C before the last step. */
  | { readonly outcome: 'interrupted'; readonly exit: number }
  | { readonly outcome: 'failed'; readonly error: KashboxError; readonly steps: readonly Step[] }
  /** A program crashed after all steps, while the demo stayed up. */
  | { readonly outcome: 'lost'; readonly error: KashboxError };

/** Amount in taka of the payment that the user can make. */
const CUSTOMER_PAYS = '300.00';
const NO_CHAIN = 'No payment in USDT: the package @foundry-rs/anvil, a chain to play on, is not installed.';
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Exit code that a shell reports for a program ended by Ctrl-C. */
const EXIT_INTERRUPTED = 130;

/** Resolves after every child has ended and the folder is gone. */
export async function runDemo(options: DemoOptions): Promise<DemoEnd> {
  const stop = new AbortController();
  const children = new ChildProcesses((error) => stop.abort(error));
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-demo-'));
  const places = demoPaths(folder);
  const stage: DemoEnv = {
    children,
    signal: stop.signal,
    places,
    clock: systemClock,
    random: systemRandom,
    port: options.port,
    program: programs(options.root, options.env, places),
  };
  const release = watchProcess(stop, children, folder);
  const steps = new Steps(options.audience, stop.signal);
  let isOver = false;
  try {
    const counter = await play(stage, steps, options.anvil);
    const checkout = options.stays ? await openCheckout(stage, counter, CUSTOMER_PAYS, () => {}) : null;
    isOver = true;
    options.onPlayed({ steps: steps.done, skipped: steps.skipped, stage, counter, checkout });
    if (checkout !== null) {
      runProvider(stage, counter, checkout, options.onChange).catch((error) => stop.abort(error));
      await steps.ended;
    }
    return { outcome: 'held' };
  } catch (error) {
    if (error instanceof DemoInterrupted) {
      return isOver ? { outcome: 'held' } : { outcome: 'interrupted', exit: EXIT_INTERRUPTED };
    }
    if (!isKashboxError(error)) throw error;
    return isOver ? { outcome: 'lost', error } : { outcome: 'failed', error, steps: steps.done };
  } finally {
    stop.abort(new DemoInterrupted());
    await children.stop();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    release();
  }
}

/** @param anvil null without one. @throws KashboxError, or what ended the demo from outside. */
async function play(stage: DemoEnv, steps: Steps, anvil: string | null): Promise<DemoContext> {
  const { signal } = stage;
  const notices = await openNotices(stage.clock, signal);
  const open = await setUp(stage, steps, notices);
  const server = shopServer(open.daemon, open.brandKey, signal);
  await playHeadless(stage, steps, server, notices);
  // The daemon's own certificate: a browser that has accepted it there does not warn again here.
  const key = readFileSync(join(stage.places.home, 'tls', 'key.pem'), 'utf8');
  const page = await openShopPage({ cert: open.daemon.certificate, key }, signal);
  const counter = { open, server, page, notices };
  await playHosted(stage, steps, counter);
  if (anvil === null) steps.skip(NO_CHAIN);
  else await playUsdt(stage, steps, counter, anvil);
  return counter;
}

/** The first signal ends the demo in order; a second one, or any other end of this process, at once. */
function watchProcess(stop: AbortController, children: ChildProcesses, folder: string): () => void {
  const onSignal = () => {
    if (stop.signal.aborted) process.exit(EXIT_INTERRUPTED);
    stop.abort(new DemoInterrupted());
  };
  const onExit = () => {
    children.kill();
    rmSync(folder, { recursive: true, force: true });
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.once('exit', onExit);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('exit', onExit);
  };
}
