/**
 * Simulates a payment to each wallet of a shop: an invented SMS in the wallet's own wording, and a payment of
 * that amount. It runs in a temporary installation, because the shop's accounting must contain only real
 * payments.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isKashboxError } from '../../base/errors/errors.js';
import { type WrittenSms, writeSms } from '../../channels/mfs/index.js';
import {
  CHANNEL,
  isMfsAccountType,
  KINDS_OF_TYPE,
  type MfsAccountType,
  type MfsChannel,
} from '../../domain/accounts/channels.js';
import { listAccounts } from '../accounts/account-view.js';
import { brandContext } from '../brands/brand-context.js';
import { verifyPayment } from '../claims/verify-claim.js';
import { type Core, openCore } from '../core/core.js';
import { type DeviceView, listDevices } from '../devices/device-view.js';
import { amountField } from '../input/fields.js';
import { setUpShop } from '../merchants/set-up-shop.js';
import { createSession } from '../sessions/create-session.js';
import { addSms } from '../sms/add-sms.js';

/** Taka with two decimals. */
const AMOUNT = '500.00';
const WHO = 'test-payment';
const CUSTOMER = 'Test payment';

interface TestResult {
  /**
   * `no_sim`: no phone of the shop has the SIM of that wallet, so its SMS cannot arrive. `refused`: a real
   * payment would not be credited either.
   */
  readonly outcome: 'completed' | 'no_sim' | 'refused';
  /** Reason of a refusal, otherwise null. */
  readonly detail: string | null;
}

/** Simulated payment to one wallet; its amount is in taka with two decimals. */
export type SimulatedPayment = TriedWallet &
  TestResult & { readonly amount: string; readonly transaction_id: string };

/** @returns one for each wallet, in their order. Writes nothing of the shop. */
export async function simulatePayments(shop: ShopUnderTest): Promise<SimulatedPayment[]> {
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-test-payment-'));
  const core = await openCore({ folder, env: {} });
  try {
    const played: SimulatedPayment[] = [];
    for (const [place, wallet] of shop.wallets.entries()) {
      const { trxId, ...sms } = smsFor(core, wallet);
      const pays = async () => {
        const session = await openPayment(core, { wallet, name: `${shop.name} ${place + 1}` });
        return pay(core, { wallet, session, sms, reference: trxId });
      };
      const result = shop.sims.includes(wallet.number) ? await pays() : NO_SIM;
      played.push({ ...wallet, ...result, amount: AMOUNT, transaction_id: trxId });
    }
    return played;
  } finally {
    await core.close();
    await rm(folder, { recursive: true, force: true });
  }
}

const NO_SIM: TestResult = { outcome: 'no_sim', detail: null };

/** Writes the SMS that the wallet sends to an account of that type for money that needs no review. */
function smsFor(core: Core, { channel, type }: TriedWallet): WrittenSms {
  const money = { channel, kinds: KINDS_OF_TYPE[type], amountPaisa: amountField(AMOUNT), reference: null };
  const sms = writeSms({ ...money, at: core.clock.now() }, core.random);
  if (sms === null) throw new TypeError(`${channel} has no SMS for an account of type ${type}`);
  return sms;
}

interface TestSession {
  readonly id: string;
  readonly merchant: string;
}

async function openPayment(
  core: Core,
  { wallet, name }: { readonly wallet: TriedWallet; readonly name: string },
): Promise<TestSession> {
  const { merchant, brand } = await setUpShop(core, { name, accounts: [wallet] }, WHO);
  const session = await createSession(core, {
    brand: await brandContext(core, brand.id),
    hosted: null,
    cusName: CUSTOMER,
    cusEmail: '',
    amountPaisa: amountField(AMOUNT),
    metaJson: null,
  });
  return { id: session.id, merchant: merchant.id };
}

interface TestTransfer {
  readonly wallet: TriedWallet;
  readonly session: TestSession;
  readonly sms: Pick<WrittenSms, 'sender' | 'body'>;
  readonly reference: string;
}

async function pay(core: Core, { wallet, session, sms, reference }: TestTransfer): Promise<TestResult> {
  const { channel, number } = wallet;
  const { sender, body: text } = sms;
  await addSms(core, { merchant: session.merchant, recipient: number, sender, text, who: WHO });
  try {
    const { outcome } = await verifyPayment(core, session.id, channel, reference);
    if (outcome === 'completed') return { outcome: 'completed', detail: null };
    return { outcome: 'refused', detail: 'it would need manual review' };
  } catch (error) {
    if (!isKashboxError(error)) throw error;
    return { outcome: 'refused', detail: error.message };
  }
}

interface TriedWallet {
  readonly channel: MfsChannel;
  readonly type: MfsAccountType;
  readonly number: string;
}

export interface ShopUnderTest {
  /** Name of the brand. */
  readonly name: string;
  readonly brandId: string;
  readonly merchantId: string;
  /** Wallets that are in use. */
  readonly wallets: readonly TriedWallet[];
  /** Numbers that have their SIM in a phone that is not revoked. */
  readonly sims: readonly string[];
  readonly devices: readonly DeviceView[];
}

/** @param named identifier or name of the brand. @throws KashboxError `not_found` */
export async function loadShopUnderTest(core: Core, named: string): Promise<ShopUnderTest> {
  const { name, brandId, merchantId } = await brandContext(core, named);
  const accounts = await listAccounts(core, { brand: brandId, disabledToo: false });
  const devices = (await listDevices(core, { merchant: merchantId })).filter(
    ({ state }) => state !== 'REVOKED',
  );
  const wallets = accounts.flatMap(({ channel, type, number }) => {
    const row = CHANNEL[channel];
    return row.kind === 'sms' && isMfsAccountType(type) ? [{ channel: row.channel, type, number }] : [];
  });
  const sims = devices.flatMap((device) => device.sims.map((sim) => sim.number));
  return { name, brandId, merchantId, wallets, sims, devices };
}
