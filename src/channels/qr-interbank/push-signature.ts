/** How an acquirer signs its pushes: HMAC-SHA256 of the body as it came, in a header. Knows no acquirer. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export interface SignatureRule {
  /** Name of the header, in small letters. */
  readonly header: string;
  readonly encoding: 'hex' | 'base64';
  /** What stands before the code: `sha256=`; often nothing. */
  readonly prefix: string;
}

export const USUAL_SIGNATURE: SignatureRule = { header: 'x-signature', encoding: 'hex', prefix: '' };

const FORM = {
  hex: /^[0-9a-f]{64}$/i,
  base64: /^[A-Za-z0-9+/]{43}=?$/,
} as const;

/**
 * @param secret its text as it stands is the key.
 * @param given value of the header, if it came once.
 */
export function isSignedBy(
  secret: string,
  body: Uint8Array,
  given: string | undefined,
  rule: SignatureRule,
): boolean {
  const text = given?.trim() ?? '';
  if (!text.startsWith(rule.prefix)) return false;
  const code = text.slice(rule.prefix.length);
  if (!FORM[rule.encoding].test(code)) return false;
  const expected = createHmac('sha256', secret).update(body).digest();
  return timingSafeEqual(Buffer.from(code, rule.encoding), expected);
}
