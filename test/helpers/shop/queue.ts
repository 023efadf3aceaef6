/** A home with a shop and payments that wait for a person, made while no daemon runs. */
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import { openCore } from '../../../src/actions/core/core.js';
import { addBank, hostedOrder } from './hosted.js';
import { bkashId, bkashText, openShop } from './shop.js';

export const QUEUE_BRAND = 'Alo Store';

export interface Queue {
  /** Session ids: one whose customer paid by bank with a slip, one who sent 20 taka too much by bKash. */
  readonly bank: string;
  readonly overpaid: string;
  readonly sms: string;
}

/** @param slip what the customer of the bank transfer uploads. */
export async function openQueue(home: string, slip: Buffer): Promise<Queue> {
  const core = await openCore({ folder: home, env: {} });
  try {
    const shop = await openShop(core, QUEUE_BRAND);
    await addBank(core, QUEUE_BRAND);
    const bank = await hostedOrder(core, QUEUE_BRAND, 50_000);
    await claimBankTransfer(core, { sessionId: bank, text: 'FT 26-71', slip });
    const overpaid = await hostedOrder(core, QUEUE_BRAND, 70_000);
    const at = core.clock.now();
    const sms = bkashText({ taka: '720.00', trxId: bkashId(at, 1), at });
    await shop.receive(sms);
    await claimCheckout(core, { sessionId: overpaid, channel: 'mfs_a', text: sms });
    return { bank, overpaid, sms };
  } finally {
    await core.close();
  }
}
