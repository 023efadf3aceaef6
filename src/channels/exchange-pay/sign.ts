/** How requests to the exchange are signed. Pure but for the random source; knows no address. */
import { createHmac } from 'node:crypto';
import type { RandomSource } from '../../base/values/ids.js';

/** @param query the whole query string as it is sent, without `signature`. @returns lower-case hex. */
export function signQuery(secret: string, query: string): string {
  return createHmac('sha256', secret).update(query).digest('hex');
}

export interface OrderRequest {
  readonly timestamp: string;
  readonly nonce: string;
  /** Byte for byte as it is sent. */
  readonly body: string;
}

/** The merchant API's signature over time, nonce and body. @returns upper-case hex. */
export function signOrderRequest(secret: string, { timestamp, nonce, body }: OrderRequest): string {
  const signed = `${timestamp}\n${nonce}\n${body}\n`;
  return createHmac('sha512', secret).update(signed).digest('hex').toUpperCase();
}

/** The merchant API wants 32 letters; these have 128 random bits. */
export function newNonce(random: RandomSource): string {
  const hex = Buffer.from(random(16)).toString('hex');
  return hex.replace(/\d/g, (digit) => 'ghijklmnop'.charAt(Number(digit)));
}
