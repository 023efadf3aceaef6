/** A shop with a hosted checkout, a wallet and a bank account, and what its customers and its operator do. */
import type { ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { type BrandProfile, updateBrand } from '../../../src/actions/brands/change-brand.js';
import { claimBankTransfer } from '../../../src/actions/claims/claim-bank-transfer.js';
import { claimCheckout } from '../../../src/actions/claims/claim-checkout.js';
import type { Core } from '../../../src/actions/core/core.js';
import {
  type ApproveReview,
  approveReview,
  rejectReview,
} from '../../../src/actions/reviews/decide-review.js';
import { listReviews } from '../../../src/actions/reviews/list-reviews.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { Engine } from '../../../src/store/schema/index.js';
import { scene } from './scene.js';

export const OPERATOR = 'cli:operator';

/** A PNG as far as its first bytes tell, of any size. */
export function pngOf(size: number): Buffer {
  const bytes = Buffer.alloc(size, 0xa5);
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]).copy(bytes);
  return bytes;
}

/** What was thrown as its code, or `done`. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return 'done';
  } catch (error) {
    if (isKashboxError(error)) return error.code;
    throw error;
  }
}

export async function addBank(core: Core, brand: string): Promise<void> {
  const details = { bank_name: 'City Bank', holder: brand };
  await setAccount(core, { brand, channel: 'bank', number: '1234567890123', details, who: OPERATOR });
}

/**
 * Opens a hosted session of a brand as its profile is now, and returns its id.
 * @param webhookUrl an address of its own.
 */
export async function hostedOrder(
  core: Core,
  brand: string,
  amountPaisa: number,
  webhookUrl: string | null = null,
): Promise<string> {
  const session = await createSession(core, {
    brand: await brandContext(core, brand),
    hosted: {
      successUrl: 'https://shop.example/paid',
      cancelUrl: 'https://shop.example/cart',
      webhookUrl,
      returnType: 'GET',
    },
    cusName: 'Customer',
    cusEmail: '',
    amountPaisa,
    metaJson: null,
  });
  return session.id;
}

/** @param profile what the brand's settings are beside their defaults. */
export async function hostedScene(t: ExecutionContext<unknown>, engine: Engine, profile: BrandProfile = {}) {
  const stage = await scene(t, engine);
  const { core, shop } = stage;
  const brand = shop.brand.name;
  await addBank(core, brand);
  if (Object.keys(profile).length > 0) await updateBrand(core, { brand, ...profile, who: OPERATOR });
  return {
    ...stage,
    order: (paisa: number, webhookUrl?: string) => hostedOrder(core, brand, paisa, webhookUrl),
    bank: async (sessionId: string, text: string, slip: Buffer | null = null) =>
      (await claimBankTransfer(core, { sessionId, text, slip })).outcome,
    claim: async (sessionId: string, text: string) =>
      (await claimCheckout(core, { sessionId, channel: 'mfs_a', text })).outcome,
    open: () => listReviews(core, { state: 'OPEN', limit: 100 }),
    approve: (id: string, more: Partial<ApproveReview> = {}) =>
      approveReview(core, { id, note: 'seen in the app', who: OPERATOR, ...more }),
    reject: (id: string) => rejectReview(core, { id, note: 'no such money', who: OPERATOR }),
  };
}

/** The id of the one review that is open. */
export async function onlyReview(stage: Awaited<ReturnType<typeof hostedScene>>): Promise<string> {
  const [review, ...others] = await stage.open();
  if (review === undefined || others.length > 0) throw new Error(`${others.length + 1} reviews are open`);
  return review.id;
}
