/**
 * Random identifiers, keys and codes. The random source is an argument, so that tests can repeat them. The
 * real source is the operating system's CSPRNG.
 */
import { randomBytes } from 'node:crypto';

/** Resource as another one names it. */
export interface NamedRef {
  readonly id: string;
  readonly name: string;
}

/** Returns `size` unpredictable bytes. */
export type RandomSource = (size: number) => Uint8Array;

/** One question to the kernel costs as much for a page of bytes as for the dozen that an identifier needs. */
const POOL_BYTES = 4_096;
let pool = randomBytes(POOL_BYTES);
let used = 0;

/** Every byte is returned once; the caller may keep the buffer. */
export const systemRandom: RandomSource = (size) => {
  if (size > POOL_BYTES) return randomBytes(size);
  if (used + size > POOL_BYTES) {
    pool = randomBytes(POOL_BYTES);
    used = 0;
  }
  used += size;
  return pool.subarray(used - size, used);
};

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const UPPER36 = BASE62.slice(0, 36);
/** Letters and digits that are easy to distinguish: no 0 O 1 I L U. */
const READABLE = '23456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `length` characters of `alphabet`, each equally likely (bytes that would favour some are thrown away). */
function randomText(random: RandomSource, alphabet: string, length: number): string {
  const fair = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    for (const byte of random(length - text.length + 8)) {
      if (byte < fair && text.length < length) text += alphabet[byte % alphabet.length];
    }
  }
  return text;
}

/** Session token: 32 lower-case hex characters, 128 random bits. */
export function newSessionId(random: RandomSource): string {
  return Buffer.from(random(16)).toString('hex');
}

/** Session tokens as they are made; what looks otherwise is nobody's and is not looked up. */
export const SESSION_ID = /^[0-9a-f]{32}$/;

const LINK_DIGITS = READABLE.toLowerCase();

/** Id of a payment link: 12 lower-case letters and digits that are easy to distinguish, 58 random bits. */
export function newLinkId(random: RandomSource): string {
  return randomText(random, LINK_DIGITS, 12);
}

/** Payment links as they are made; what looks otherwise is nobody's and is not looked up. */
export const LINK_ID = new RegExp(`^[${LINK_DIGITS}]{12}$`);

/** Gateway reference: 12 upper-case letters and digits. */
export function newGatewayReference(random: RandomSource): string {
  return randomText(random, UPPER36, 12);
}

/**
 * Characters of a payment reference, which customers type. Of those that look alike (0 O D Q, 1 I L, 2 Z, 5
 * S, 6 G, 8 B, U V Y) at most one is used; without vowels few words have this shape.
 */
const REFERENCE_DIGITS = '23456789';
const REFERENCE_LETTERS = 'CFHJKMNPRTWXY';
/** Requires at least one letter and one digit, so that neither a word nor a number matches. */
export const PAYMENT_REFERENCE = new RegExp(
  `^(?=.*[${REFERENCE_DIGITS}])(?=.*[${REFERENCE_LETTERS}])[${REFERENCE_DIGITS}${REFERENCE_LETTERS}]{5,6}$`,
);

/** @param length 5 (3.7 million different ones) or 6 (80 million). */
export function newPaymentReference(random: RandomSource, length: 5 | 6): string {
  for (;;) {
    const text = randomText(random, REFERENCE_DIGITS + REFERENCE_LETTERS, length);
    if (PAYMENT_REFERENCE.test(text)) return text;
  }
}

/** Prefix of the row ids of each kind, so that a reader sees the kind. */
const ROW_PREFIX = {
  merchant: 'mer',
  brand: 'brd',
  key: 'key',
  account: 'acc',
  device: 'dev',
  sms: 'sms',
  proof: 'prf',
  claim: 'clm',
  transaction: 'txn',
  review: 'rev',
  audit: 'aud',
  notification: 'ntf',
  attempt: 'att',
  node: 'nod',
  acquirer: 'acq',
  push: 'psh',
  dispatch: 'dsp',
  alert: 'alr',
  target: 'tgt',
  message: 'msg',
  gap: 'gap',
  refund: 'rfd',
  sent: 'snt',
} as const;

export type RowKind = keyof typeof ROW_PREFIX;

/** Hex digits for milliseconds since the epoch: enough until the year 2527. */
const TIME_DIGITS = 11;
const TAIL_DIGITS = 13;
/** The first tail of a millisecond: half of all, which leaves room above for 2^27 steps at least. */
const FIRST_TAIL_BITS = 51;
const STEP_BITS = 24;
const LOW_DIGITS = 7;
const LOW_TAIL = 16 ** LOW_DIGITS;

/** The last identifier that each source made, and its time in digits. */
const lastMade = new WeakMap<
  RandomSource,
  { readonly now: number; readonly time: string; readonly tail: number }
>();

/**
 * Row id such as `mer_01988…`: the time, then 52 bits of which 51 are random. The time comes first because
 * fully random ids each change a different index page, which was most of what a commit wrote. Ids from one
 * source in one millisecond increase by a random step, so that lists keep their order.
 * @param now milliseconds since the epoch.
 */
export function newRowId(random: RandomSource, now: number, kind: RowKind): string {
  const last = lastMade.get(random);
  const isSame = last?.now === now;
  const time = isSame ? last.time : hex(now, TIME_DIGITS);
  const tail = isSame ? last.tail + 1 + randomBits(random, STEP_BITS) : randomBits(random, FIRST_TAIL_BITS);
  lastMade.set(random, { now, time, tail });
  // In two halves: numbers beyond 31 bits are written by arithmetic on fractions, which is slow.
  const [high, low] = [Math.floor(tail / LOW_TAIL), tail % LOW_TAIL];
  return `${ROW_PREFIX[kind]}_${time}${hex(high, TAIL_DIGITS - LOW_DIGITS)}${hex(low, LOW_DIGITS)}`;
}

/** Lower bound of the ids of that kind created at that time. @param ms milliseconds since the epoch. */
export function firstRowId(kind: RowKind, ms: number): string {
  return `${ROW_PREFIX[kind]}_${hex(Math.max(0, ms), TIME_DIGITS)}`;
}

/** @returns creation time in the id, milliseconds since the epoch; null if it contains none. */
export function rowIdTime(id: string): number | null {
  const [, digits] = /^[a-z]+_([0-9a-f]{11})[0-9a-f]{13}$/.exec(id) ?? [];
  return digits === undefined ? null : Number.parseInt(digits, 16);
}

/** @param bits at most 52. */
function randomBits(random: RandomSource, bits: number): number {
  const [first = 0, ...others] = random(Math.ceil(bits / 8));
  return others.reduce((value, byte) => value * 256 + byte, first % 2 ** (bits % 8 || 8));
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}

const keyMaker = (prefix: string, length: number) => (random: RandomSource) =>
  `${prefix}${randomText(random, BASE62, length)}`;

/** Key in the address of a counter display (190 random bits). */
export const newDisplayKey = keyMaker('', 32);

/** Such keys as they are made; what looks otherwise is nobody's and is not looked up. */
export const DISPLAY_KEY = /^[0-9A-Za-z]{32}$/;

/** Brand Key: `bk_` and 40 letters and digits (238 random bits). */
export const newBrandKey = keyMaker('bk_', 40);
/** Brand Key of a brand for tests: it begins as no other key does. */
export const newTestBrandKey = keyMaker('test_', 40);
export const newDeviceKey = keyMaker('dk_', 40);
/** Gateway Key: exactly 18 characters, letters and digits (107 random bits). */
export const newGatewayKey = keyMaker('', 18);
/** Key that identifies an acquirer. */
export const newAcquirerKey = keyMaker('aq_', 40);
/** Signing secret or password of an acquirer (256 random bits). */
export const newAcquirerSecret = keyMaker('aqs_', 43);

/** Webhook secret in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
export function newWebhookSecret(random: RandomSource): string {
  return `whsec_${Buffer.from(random(32)).toString('base64')}`;
}

/** Pairing code that is typed on a phone: `ABCD-EFGH`, about 39 random bits, good once for 10 minutes. */
export function newPairingCode(random: RandomSource): string {
  const text = randomText(random, READABLE, 8);
  return `${text.slice(0, 4)}-${text.slice(4)}`;
}
