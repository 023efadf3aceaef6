/**
 * Plays a payment to each wallet of a shop: an invented SMS in the wallet's own words, and a payment of that
 * amount. It happens in an installation of its own that is thrown away, because the books of the shop hold
 * nothing that was not paid.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKashboxError } from '../../base/errors/errors.js';
import { KINDS_OF_TYPE } from '../../domain/accounts/channels.js';
import type { FormatExample } from '../../domain/wallets/format.js';
import { WALLET } from '../../domain/wallets/index.js';
import { brandContext } from '../brands/brand-context.js';
import { verifyPayment } from '../claims/verify-claim.js';
import { type Core, openCore } from '../core/core.js';
import { amountField } from '../input/fields.js';
import { setUpShop } from '../merchants/set-up-shop.js';
import { createSession } from '../sessions/create-session.js';
import { addSms } from '../sms/add-sms.js';
import type { TriedShop, TriedWallet } from './tried-shop.js';

/** Between the time in the SMS, which has no seconds, and what happens before and after it. */
const AROUND_MS = 60_000;
const WHO = 'test-payment';
const CUSTOMER = 'Test payment';

interface Played {
  /**
   * `no_sim`: no phone of the shop has the SIM of that wallet, so its SMS cannot arrive. `refused`: a real
   * payment would not be credited either.
   */
  readonly outcome: 'completed' | 'no_sim' | 'refused';
  /** Why it was refused, else null. */
  readonly detail: string | null;
}

/** Its amount is in taka, with two decimals. */
export type PlayedPayment = TriedWallet &
  Played & { readonly amount: string; readonly transaction_id: string };

/** @returns one for each wallet, in their order. Writes nothing of the shop. */
export async function playPayments(shop: TriedShop): Promise<PlayedPayment[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-test-payment-'));
  // The SMS say when they were written, and money that is too old pays nothing.
  const clock = { at: 0, now: () => clock.at };
  const core = await openCore({ folder, env: {}, clock });
  try {
    const played: PlayedPayment[] = [];
    for (const [place, wallet] of shop.wallets.entries()) {
      const example = exampleFor(wallet);
      const { amount = '', trx_id = '', at = '' } = example.values;
      clock.at = Date.parse(at) - AROUND_MS;
      const pays = async () => {
        const session = await openPayment(core, { wallet, amount, name: `${shop.name} ${place + 1}` });
        clock.at = Date.parse(at) + AROUND_MS;
        return pay(core, { wallet, session, text: example.text, reference: trx_id });
      };
      const result = shop.sims.includes(wallet.number) ? await pays() : NO_SIM;
      played.push({ ...wallet, ...result, amount, transaction_id: trx_id });
    }
    return played;
  } finally {
    await core.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const NO_SIM: Played = { outcome: 'no_sim', detail: null };

/** What the wallet writes to an account of that type when money comes that needs nobody's word. */
function exampleFor({ channel, type }: TriedWallet): FormatExample {
  const kinds = KINDS_OF_TYPE[type];
  const examples = WALLET[channel].texts.formats
    .filter(({ kind, settle }) => settle === 'auto' && kinds.includes(kind))
    .flatMap((format) => format.examples)
    .filter(({ values }) => values.at !== undefined && values.trx_id !== undefined);
  const [example] = examples;
  if (example === undefined) throw new TypeError(`${channel} has no SMS for an account of type ${type}`);
  return example;
}

interface PlayedSession {
  readonly id: string;
  readonly merchant: string;
}

async function openPayment(
  core: Core,
  { wallet, amount, name }: { readonly wallet: TriedWallet; readonly amount: string; readonly name: string },
): Promise<PlayedSession> {
  const { merchant, brand } = await setUpShop(core, { name, accounts: [wallet] }, WHO);
  const session = await createSession(core, {
    brand: await brandContext(core, brand.id),
    hosted: null,
    cusName: CUSTOMER,
    cusEmail: '',
    amountPaisa: amountField(amount),
    metaJson: null,
  });
  return { id: session.id, merchant: merchant.id };
}

interface PlayedMoney {
  readonly wallet: TriedWallet;
  readonly session: PlayedSession;
  readonly text: string;
  readonly reference: string;
}

async function pay(core: Core, { wallet, session, text, reference }: PlayedMoney): Promise<Played> {
  const { channel, number } = wallet;
  const sender = WALLET[channel].senders.official;
  await addSms(core, { merchant: session.merchant, recipient: number, sender, text, who: WHO });
  try {
    const { outcome } = await verifyPayment(core, session.id, channel, reference);
    if (outcome === 'completed') return { outcome: 'completed', detail: null };
    return { outcome: 'refused', detail: 'a person would have to decide' };
  } catch (error) {
    if (!isKashboxError(error)) throw error;
    return { outcome: 'refused', detail: error.message };
  }
}
