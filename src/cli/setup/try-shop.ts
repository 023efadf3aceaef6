/**
 * Checks a new shop: its phone connects, and a payment is credited. Each step is reported on stderr when it
 * happens; the caller prints the results.
 */
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Core } from '../../actions/core/core.js';
import type { DeviceView } from '../../actions/devices/device-view.js';
import { checkNewSms, openTestPayment } from '../../actions/test-payments/await-money.js';
import {
  loadShopUnderTest,
  type ShopUnderTest,
  type SimulatedPayment,
  simulatePayments,
} from '../../actions/test-payments/simulate-payments.js';
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import { msg, type Text } from '../../base/values/msg.js';
import { WALLET } from '../../domain/wallets/index.js';
import type { Localizer } from '../language/language.js';
import { CLEARED, FRAMES } from '../text/progress.js';
import { PromptAborted } from './wizard.js';

export interface SetupCheckContext {
  readonly core: Core;
  /** Identifier or name of the brand. */
  readonly brand: string;
  readonly speaker: Localizer;
  /** Maximum wait in ms for an external event; infinite if the user ends it with Enter. */
  readonly limitMs: number;
  note(line: string): void;
}

const orEnter = (limitMs: number): Text =>
  Number.isFinite(limitMs) ? '' : msg` Press Enter to continue without it.`;

/** Waits for an online phone. @returns null if the user skipped the wait or it timed out. @throws Left */
export async function waitForPhone(trial: SetupCheckContext): Promise<DeviceView | null> {
  const { core, brand, speaker, limitMs, note } = trial;
  const { devices } = await loadShopUnderTest(core, brand);
  if (devices.length === 0) throw noPhone(brand);
  const names = devices.map(({ name }) => name).join(', ');
  const waited = await waitFor({
    what: speaker.speak(msg`Waiting for the phone: ${names}.${orEnter(limitMs)}`),
    look: async () =>
      (await loadShopUnderTest(core, brand)).devices.find(({ state }) => state === 'ONLINE') ?? null,
    limitMs,
  });
  if (waited.outcome !== 'came') return null;
  const { name, battery, problem } = waited.value;
  const charge: Text = battery === null ? '' : msg`, battery ${battery}%`;
  note(speaker.speak(msg`The phone ${name} is online${charge}.`));
  if (problem !== null) note(speaker.speak(msg`It reports: ${problem}. Run kashbox-relay doctor on it.`));
  return waited.value;
}

function noPhone(brand: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `No phone is enrolled for "${brand}"`,
    hint: 'Enroll one first: kashbox devices enroll',
  });
}

/** @returns one line with the outcome of each simulated payment. */
export function playedLines(played: readonly SimulatedPayment[], { speak }: Localizer): string[] {
  return played.map((payment) => {
    const { channel, type, number, amount, transaction_id, outcome, detail } = payment;
    const wallet = `${WALLET[channel].name.en} ${type} ${number}`;
    switch (outcome) {
      case 'completed':
        return speak(msg`ok    ${wallet}: an SMS of Tk ${amount} (${transaction_id}) completes a payment.`);
      case 'no_sim':
        return speak(
          msg`FAIL  ${wallet}: no phone has this SIM, so its SMS cannot arrive. Next: kashbox devices enroll`,
        );
      case 'refused':
        return speak(msg`FAIL  ${wallet}: a payment would not be completed: ${detail ?? ''}`);
      default:
        return outcome satisfies never;
    }
  });
}

/** Plays one payment for each wallet; nothing of it stays. @throws KashboxError `state_refused` */
export async function tryPlayed({ core, brand }: SetupCheckContext): Promise<SimulatedPayment[]> {
  const shop = await loadShopUnderTest(core, brand);
  requireWallets(shop);
  return simulatePayments(shop);
}

/** Payment that was completed with real money, or waits for manual review. */
export interface PaidTest {
  readonly outcome: 'completed' | 'under_review';
  readonly gateway_reference: string;
  /** Taka, with two decimals. */
  readonly amount: string;
  readonly transaction_id: string;
}

/** @returns null if the user skipped the wait or it timed out. @throws KashboxError, Left */
export async function tryReal(trial: SetupCheckContext, amountPaisa: Paisa): Promise<PaidTest | null> {
  const { core, brand, speaker, limitMs, note } = trial;
  const shop = await loadShopUnderTest(core, brand);
  requireWallets(shop);
  const payment = await openTestPayment(core, shop, amountPaisa);
  const amount = formatTaka(amountPaisa);
  note(speaker.speak(msg`Now pay exactly Tk ${amount} from another phone, to one of these:`));
  for (const { channel, type, number } of shop.wallets) {
    note(`  ${WALLET[channel].name.en} ${type} ${number}`);
  }
  const waited = await waitFor({
    what: speaker.speak(msg`Waiting for its SMS.${orEnter(limitMs)}`),
    look: async () => {
      const heard = await checkNewSms(core, shop, payment);
      for (const { sms, outcome, ...other } of heard) {
        if (outcome !== 'other') return { outcome, transaction_id: sms.trx_id ?? '' };
        const why = 'detail' in other && other.detail !== null ? ` ${other.detail}` : '';
        note(speaker.speak(msg`An SMS arrived that does not pay it:${why} kashbox sms show ${sms.id}`));
      }
      return null;
    },
    limitMs: Math.min(limitMs, payment.expiresAt - payment.openedAt),
  });
  if (waited.outcome !== 'came') return null;
  const paid = { ...waited.value, gateway_reference: payment.gateway_reference, amount };
  note(paidLine(paid, speaker));
  return paid;
}

function paidLine(paid: PaidTest, { speak }: Localizer): string {
  const { gateway_reference: payment, amount, transaction_id, outcome } = paid;
  if (outcome === 'completed') {
    return speak(msg`Paid: Tk ${amount} with ${transaction_id}. Payment ${payment} is COMPLETED.`);
  }
  return speak(msg`The SMS ${transaction_id} arrived but needs manual review: kashbox verifications list`);
}

function requireWallets({ name, wallets }: ShopUnderTest): void {
  if (wallets.length > 0) return;
  throw new KashboxError('state_refused', {
    message: `"${name}" has no mobile wallet that a test payment could be made to`,
    hint: 'Add one first: kashbox accounts set',
  });
}

const LOOK_MS = 500;

interface WaitFor<T> {
  /** Description of the awaited event, for the progress line. */
  readonly what: string;
  /** @returns null while it has not come. */
  look(): Promise<T | null>;
  /** Maximum wait in ms; infinite if the user ends it with Enter. */
  readonly limitMs: number;
}

type WaitResult<T> =
  | { readonly outcome: 'came'; readonly value: T }
  | { readonly outcome: 'passed_over' | 'too_late' };

/** @throws Left if the user presses Ctrl-C, and errors of `look` */
export async function waitFor<T>({ what, look, limitMs }: WaitFor<T>): Promise<WaitResult<T>> {
  const line = openLine(what);
  const keys = openKeys();
  const endMs = performance.now() + limitMs;
  try {
    for (let turn = 0; ; turn += 1) {
      line.clear();
      const value = await look();
      if (value !== null) return { outcome: 'came', value };
      if (keys.pressed() === 'ctrl-c') throw new PromptAborted();
      if (keys.pressed() === 'enter') return { outcome: 'passed_over' };
      if (performance.now() >= endMs) return { outcome: 'too_late' };
      line.turn(turn);
      await Promise.race([sleep(LOOK_MS), keys.press]);
    }
  } finally {
    keys.close();
    line.clear();
  }
}

function openLine(what: string) {
  const { stderr } = process;
  if (!stderr.isTTY) stderr.write(`${what}\n`);
  return {
    turn(turn: number): void {
      // A line that is longer than the window would leave its beginning behind at each turn.
      const room = Math.max(1, (stderr.columns || 80) - 3);
      const shown = [...what].slice(0, room).join('');
      if (stderr.isTTY) stderr.write(`${CLEARED}${FRAMES[turn % FRAMES.length]} ${shown}`);
    },
    clear(): void {
      if (stderr.isTTY) stderr.write(CLEARED);
    },
  };
}

/** Detects Enter and Ctrl-C. Without a terminal there are no keys, and a signal ends the program. */
function openKeys() {
  let pressed: 'enter' | 'ctrl-c' | null = null;
  let wake: () => void = () => {};
  const press = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const note = (key: typeof pressed) => {
    pressed = key;
    wake();
  };
  // What is typed meanwhile is shown to nobody.
  const muted = new PassThrough().resume();
  const lines = process.stdin.isTTY
    ? createInterface({ input: process.stdin, output: muted, terminal: true })
    : null;
  lines?.once('line', () => note('enter'));
  lines?.once('SIGINT', () => note('ctrl-c'));
  return { press, pressed: () => pressed, close: () => lines?.close() };
}
