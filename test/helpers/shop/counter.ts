/** A counter with a display: its address, what it shows, and customers who pay. */
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { loadDisplay } from '../../../src/actions/links/display.js';
import { createLink } from '../../../src/actions/links/links.js';
import type { Owner } from '../programs/processes.js';
import { BRAND, type Checkout, openCheckout } from './checkout.js';
import { personalPayload } from './qr.js';
import { bkashText, WALLET } from './shop.js';
import { walletId } from './wallets.js';

export interface Counter {
  readonly checkout: Checkout;
  readonly id: string;
  readonly url: string;
  /** The payment that the store has on the display. */
  payment(): Promise<{ readonly code: string; readonly reference: string; readonly name: string }>;
  /** The customer sends the money, and writes the reference. */
  send(taka: string, reference: string): Promise<void>;
}

let sent = 0;

/** @param isCoded whether an account of the shop has a personal Bangla QR. */
export async function openCounter(t: Owner, isCoded = true): Promise<Counter> {
  const checkout = await openCheckout(t);
  const { core } = checkout;
  if (isCoded) {
    const account = { brand: BRAND, channel: 'mfs_a', type: 'personal', number: WALLET, who: 'test' };
    await setAccount(core, { ...account, details: { qr: personalPayload(WALLET, 'ALO STORE') } });
  }
  const asked = { brand: BRAND, display: true, title: 'Counter 1', base: checkout.daemon().url, who: 'test' };
  const { id, display_url: url = '' } = await createLink(core, asked);
  return {
    checkout,
    id,
    url,
    payment: async () => {
      const shown = (await loadDisplay(core, url.slice(-32)))?.payment;
      const code = shown?.methods.find((method) => method.code !== undefined)?.code ?? 'none';
      return { code, reference: shown?.paymentReference ?? '', name: shown?.gatewayReference ?? '' };
    },
    send: async (taka, ref) => {
      sent += 1;
      const at = Date.now();
      await checkout.deliver(bkashText({ taka, trxId: walletId('mfs_a', at, sent), at, ref }));
    },
  };
}
