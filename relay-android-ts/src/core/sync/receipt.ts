/**
 * What proves that an answer about SMS is Kashbox's own and is meant for this very request: a code under the
 * device key over what each SMS has become. Whoever answers in the server's place has none, whatever the
 * HTTP status is. docs/relay.md tells how it is made.
 */

/** HMAC-SHA256 of the UTF-8 bytes of a text under the device key, in lower-case hex. */
export type Seal = (text: string) => string;

const PURPOSE = 'kashbox-relay-receipt-v1\n';
const STATES: readonly unknown[] = ['stored', 'duplicate', 'rejected'];

export interface MessageResult {
  readonly id: string;
  readonly state: 'stored' | 'duplicate' | 'rejected';
  readonly reason: unknown;
}

export type Receipted =
  | { readonly kind: 'confirmed'; readonly results: readonly MessageResult[] }
  /** `reason` says what to do. */
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** Reads the results of an answer if its receipt is right and stands for just the ids that were `sent`. */
export function readReceipted(
  answer: Readonly<Record<string, unknown>>,
  sent: readonly string[],
  seal: Seal,
): Receipted {
  const { results = [], receipt } = answer;
  if (receipt === undefined)
    return unconfirmed('the answer has no receipt; if the server runs an older Kashbox, update it');
  const fields = (Array.isArray(results) ? results : []).map(fieldsOf);
  const pairs = fields.map(({ id = null, state = null }) => [id, state]);
  if (receipt !== seal(`${PURPOSE}${JSON.stringify(pairs)}`))
    return unconfirmed('the receipt is wrong; something between phone and server changes answers');
  if (fields.length !== sent.length || !fields.every(({ id }, at) => id === sent[at]))
    return unconfirmed('the receipt is for other SMS than were sent');
  if (!fields.every(({ state }) => STATES.includes(state)))
    return unconfirmed('the server says more than this agent knows; update the agent');
  return { kind: 'confirmed', results: fields as unknown as readonly MessageResult[] };
}

function unconfirmed(reason: string): Receipted {
  return { kind: 'unconfirmed', reason };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
