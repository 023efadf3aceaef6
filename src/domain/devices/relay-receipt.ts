/**
 * Proves to a relay phone that Kashbox answered about its SMS: a code under the phone's key over each SMS's
 * state. A page of a proxy, a firewall or a hotel network has none, whatever its HTTP status is.
 */
import { createHmac } from 'node:crypto';

/** Keeps the code apart from anything else that is ever signed with a device key. */
const PURPOSE = 'kashbox-relay-receipt-v1\n';

/**
 * @param key the device key as the phone has sent it.
 * @param results one for each message, in the order of the request.
 * @returns HMAC-SHA256 in lower-case hex over the purpose and the pairs of id and state as compact JSON.
 */
export function relayReceipt(
  key: string,
  results: readonly { readonly id: string | null; readonly state: string }[],
): string {
  const pairs = JSON.stringify(results.map(({ id, state }) => [id, state]));
  return createHmac('sha256', key).update(`${PURPOSE}${pairs}`).digest('hex');
}
