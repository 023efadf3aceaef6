/** Checks the Standard Webhooks signature of a notification. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureError } from './errors.js';

/** Headers of Node, of fetch, or names with values or lists of values, in any letter case. */
export type WebhookHeaders =
  | Iterable<readonly [string, string]>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Seconds that a signature may be away from now. */
const TOLERANCE_S = 300;
const MAX_HEADER = 2_048;

/** @throws SignatureError */
export function checkSignature(
  secret: Uint8Array,
  body: string | Uint8Array,
  headers: WebhookHeaders,
  now: Date,
): void {
  const found = namedHeaders(headers);
  const [id, time, list] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => {
    const value = found.get(name);
    if (value !== undefined) return value;
    throw new SignatureError('no_header', `The notification has no header ${name}: answer 401.`);
  }) as [string, string, string];
  const isWhole = id !== '' && !id.includes('.') && /^\d{1,12}$/.test(time) && list.length <= MAX_HEADER;
  const given = isWhole ? list.split(' ').filter((one) => one.startsWith('v1,')) : [];
  if (given.length === 0 || !given.every((one) => /^v1,[A-Za-z0-9+/]{43}=$/.test(one))) {
    throw new SignatureError('malformed', 'The webhook-… headers are not whole: answer 401.');
  }
  const mine = createHmac('sha256', secret).update(`${id}.${time}.`).update(body).digest();
  // Two while the secret is rotated.
  const isOurs = given.some((one) => timingSafeEqual(Buffer.from(one.slice(3), 'base64'), mine));
  if (!isOurs) {
    throw new SignatureError(
      'wrong',
      'The notification is not signed with this secret, or this is not the raw body: answer 401, and check ' +
        'with `kashbox webhooks verify`.',
    );
  }
  const ageS = Math.floor(now.getTime() / 1_000) - Number(time);
  if (Math.abs(ageS) <= TOLERANCE_S) return;
  const when = ageS > 0 ? `${ageS} seconds ago` : `${-ageS} seconds in the future`;
  throw new SignatureError(
    ageS > 0 ? 'too_old' : 'in_the_future',
    `The notification was signed ${when}: answer 401, and synchronise the clock of this server.`,
  );
}

function namedHeaders(headers: WebhookHeaders): Map<string, string> {
  const entries = Symbol.iterator in headers ? [...headers] : Object.entries(headers);
  const found = new Map<string, string>();
  for (const [name, value] of entries) {
    if (value === undefined) continue;
    // CGI has HTTP_WEBHOOK_ID.
    const plain = name
      .toLowerCase()
      .replaceAll('_', '-')
      .replace(/^http-/, '');
    found.set(plain, (typeof value === 'string' ? value : value.join(', ')).trim());
  }
  return found;
}
