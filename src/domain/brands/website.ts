/** The domain of a brand's website, as customers see it. */
import type { Read } from '../../base/values/read.js';

/** Names with a dot and no address: the last part begins with a letter. */
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/**
 * @param typed `https://alo.example`, with any path, or `alo.example`.
 * @returns the domain in its ASCII form (`xn--…` for others), so that no letter looks like another one.
 */
export function readWebsite(typed: string): Read<{ domain: string }> {
  const url = typed.includes('://') ? typed : `https://${typed}`;
  const isPlain = /^https:\/\/[^/?#@:\s\\]+(?:[/?#]|$)/i.test(url) && URL.canParse(url);
  const domain = isPlain ? new URL(url).hostname : '';
  if (DOMAIN.test(domain)) return { ok: true, domain };
  return { ok: false, fault: 'must be the https address of a website, without a port or a user name' };
}
