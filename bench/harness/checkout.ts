/** A shop that sends its customers to the checkout page: with four wallets, a bank and help by phone. */

import { setAccount } from '../../src/actions/accounts/set-account.js';
import { updateBrand } from '../../src/actions/brands/change-brand.js';
import { claimCheckout } from '../../src/actions/claims/claim-checkout.js';
import { type Core, openCore } from '../../src/actions/core/core.js';
import { openShop, type Shop } from '../../test/helpers/shop/shop.js';
import { inChunks, nextSms, PAISA } from './shop.js';

/** A page that waits, and the SMS that it waits for. */
export interface WaitingPage {
  readonly path: string;
  readonly reference: string;
  readonly body: string;
}

interface Counter {
  readonly brandKey: string;
  readonly deviceKey: string;
  /** Opens payments. @returns the paths of their pages. */
  pages(count: number): Promise<string[]>;
  /** Opens payments whose customers have said what they paid with, before the SMS. */
  waitingPages(count: number): Promise<WaitingPage[]>;
}

const OTHER_WALLETS = [
  ['mfs_b', '01811000002'],
  ['mfs_c', '01911000003'],
  ['mfs_d', '01611000004'],
] as const;

/** Makes the shop in this home and what `prepare` asks for; then lets go of it. */
export async function equipCheckout<Stock>(
  home: string,
  prepare: (counter: Counter) => Promise<Stock>,
  env: Readonly<Record<string, string>> = {},
): Promise<Stock> {
  const core = await openCore({ folder: home, env });
  try {
    const shop = await openShop(core);
    await showEverything(core, shop.brand.name);
    return await prepare({
      brandKey: shop.brandKey,
      deviceKey: shop.deviceKey,
      pages: (count) => inChunks(count, (size) => all(size, () => open(shop))),
      waitingPages: (count) => inChunks(count, (size) => all(size, () => claim(core, shop))),
    });
  } finally {
    await core.close();
  }
}

async function showEverything(core: Core, brand: string): Promise<void> {
  const who = 'bench';
  const help = { mobile: '01711000099', whatsapp: '01711000099', email: 'help@shop.example.com' };
  await updateBrand(core, { brand, ...help, who });
  for (const [channel, number] of OTHER_WALLETS) {
    await setAccount(core, { brand, channel, type: 'personal', number, who });
  }
  const details = { bank_name: 'Shapla Bank', holder: brand, branch: 'Mirpur 10', routing: '123456789' };
  await setAccount(core, { brand, channel: 'bank', number: '1501201234567001', details, who });
}

function all<T>(size: number, make: () => Promise<T>): Promise<T[]> {
  return Promise.all(Array.from({ length: size }, make));
}

async function open(shop: Shop): Promise<string> {
  return `/api/execute/${await shop.link(PAISA)}`;
}

async function claim(core: Core, shop: Shop): Promise<WaitingPage> {
  const sessionId = await shop.link(PAISA);
  const { reference, body } = nextSms();
  const { outcome } = await claimCheckout(core, { sessionId, channel: 'mfs_a', text: reference });
  if (outcome !== 'waiting') throw new Error(`a prepared page does not wait: ${outcome}`);
  return { path: `/api/execute/${sessionId}`, reference, body };
}
