/** A shop with a Bangla QR code, and the bank that tells of payments to it. */
import { createHmac } from 'node:crypto';
import { authenticateAcquirer } from '../../../src/actions/access/authenticate-acquirer.js';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { type CreateAcquirer, createAcquirer } from '../../../src/actions/acquirers/acquirers.js';
import { brandContext } from '../../../src/actions/brands/brand-context.js';
import { verifyClaim } from '../../../src/actions/claims/verify-claim.js';
import type { Core } from '../../../src/actions/core/core.js';
import { receivePush, type TakenPush } from '../../../src/actions/pushes/take-push.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { printedPayload } from './qr.js';
import type { Shop } from './shop.js';

/** Fields of a push with our own names; those that are undefined are left out. */
export type PushedFields = Readonly<Record<string, unknown>>;

export const PAYER = '01712345678';

export const sign = (secret: string, body: string | Buffer) =>
  createHmac('sha256', secret).update(body).digest('hex');

export async function openBank(core: Core, shop: Shop, change: Partial<CreateAcquirer> = {}) {
  const code = { channel: 'qr_interbank', type: 'qr', details: { qr: printedPayload } };
  await setAccount(core, { brand: shop.brand.name, ...code, who: 'test' });
  const brand = await brandContext(core, shop.brand.name);
  const { acquirer, acquirer_key, secret } = await createAcquirer(core, {
    merchant: shop.merchantId,
    name: 'city-bank',
    auth: 'hmac',
    allowIps: [],
    who: 'test',
    ...change,
  });
  let told = 0;
  /** A push of now with a reference of its own, as the bank writes it. */
  const written = (fields: PushedFields = {}): string => {
    told += 1;
    return JSON.stringify({
      reference: `RRN${String(told).padStart(9, '0')}`,
      amount: '500.00',
      payer: PAYER,
      paid_at: dhakaIso(core.clock.now()),
      status: 'SUCCESS',
      ...fields,
    });
  };
  return {
    brand,
    acquirer,
    key: acquirer_key,
    secret,
    written,
    /** Opens a session; the gateway reference is what stands in its code. */
    order: (amountPaisa = 50_000) =>
      createSession(core, {
        brand,
        hosted: null,
        cusName: 'Customer',
        cusEmail: '',
        amountPaisa,
        metaJson: null,
      }),
    /** Takes a body as the route does. */
    async take(body: string | Buffer, contentType = 'application/json'): Promise<TakenPush> {
      const bytes = typeof body === 'string' ? Buffer.from(body) : body;
      const context = await authenticateAcquirer(core, {
        headerKey: acquirer_key,
        basic: undefined,
        queryKey: undefined,
        ip: '192.0.2.1',
        body: bytes,
        header: () => sign(secret, bytes),
      });
      return receivePush(core, { acquirer: context, contentType, bytes });
    },
    push(fields: PushedFields = {}): Promise<TakenPush> {
      return this.take(written(fields));
    },
    /** The outcome of a verification as one word, or the reference that was credited. */
    async verify(sessionId: string, number: string): Promise<string> {
      const claim = { brand, sessionId, method: 'qr_interbank' as const, reference: number };
      try {
        const { outcome, record } = await verifyClaim(core, claim);
        return outcome === 'completed' ? record.transactionId : outcome;
      } catch (error) {
        if (isKashboxError(error)) return error.code;
        throw error;
      }
    },
  };
}

export type Bank = Awaited<ReturnType<typeof openBank>>;
