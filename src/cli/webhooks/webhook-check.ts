/**
 * Verifies a captured notification and explains what is wrong with it. Does not load body or secrets, and
 * does not print.
 */
import { refuse } from '../../base/errors/refuse.js';
import { visible, wrap } from '../../base/values/cells.js';
import {
  type CheckOf,
  checkSignature,
  checkStandardSignature,
  SIGNATURE_HEADER,
  type SignatureCheck,
} from '../../notify/signature.js';

/** Default tolerance of receivers in seconds. */
export const TOLERANCE_S = 300;

/** `unchecked`: there was no secret to check with. */
export type SignatureVerdict = SignatureCheck['result'] | 'unchecked';

interface HeaderCheck {
  readonly header: typeof SIGNATURE_HEADER | 'webhook-signature';
  readonly result: SignatureCheck['result'];
  /** Seconds since it was signed; null where that is not known. */
  readonly age_s: number | null;
  /** Explanation and next step, in one or two sentences. */
  readonly message: string;
}

interface CheckedNotification {
  readonly valid: boolean;
  readonly checks: readonly HeaderCheck[];
}

type Headers = Readonly<Record<string, string>>;

/**
 * @param signature value of `x-service-signature`, or the complete header line.
 * @param lines header lines such as `webhook-id: ntf_…`.
 * @returns the headers by lower-case names.
 * @throws KashboxError `invalid_input`
 */
export function parseHeaders(signature: string | undefined, lines: readonly string[]): Headers {
  const own = signature?.replace(/^\s*x-service-signature\s*:/i, '').trim();
  const headers: Record<string, string> = own === undefined ? {} : { [SIGNATURE_HEADER]: own };
  for (const line of lines) {
    const [, name, value] = /^\s*([\w-]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
    if (name === undefined || value === undefined) {
      refuse(
        visible(`--header "${line}" is no header`),
        'Write name and value with a colon: --header "webhook-id: ntf_…"',
      );
    }
    headers[name.toLowerCase()] = value;
  }
  if (SIGNATURE_HEADER in headers || 'webhook-signature' in headers) return headers;
  refuse(
    'There is no signature to check',
    'Give the header X-Service-Signature by --signature, or the three webhook-… headers by --header.',
  );
}

/** Checks every signature that was given; it is valid if all of them are. */
export function checkCaptured(headers: Headers, check: CheckOf): CheckedNotification {
  const own = (body: CheckOf['body']) => checkSignature(headers[SIGNATURE_HEADER], { ...check, body });
  const standard = (body: CheckOf['body']) => checkStandardSignature(headers, { ...check, body });
  const checks: HeaderCheck[] = [];
  if (SIGNATURE_HEADER in headers) checks.push(headerCheck(SIGNATURE_HEADER, own, check));
  if ('webhook-signature' in headers) checks.push(headerCheck('webhook-signature', standard, check));
  return { valid: checks.every(({ result }) => result === 'valid'), checks };
}

function headerCheck(
  header: HeaderCheck['header'],
  checkBody: (body: CheckOf['body']) => SignatureCheck,
  { body, toleranceS }: CheckOf,
): HeaderCheck {
  const found = checkBody(body);
  const altered = found.result === 'wrong' ? alteredHow(body, checkBody) : null;
  return {
    header,
    result: found.result,
    age_s: 'ageS' in found ? found.ageS : null,
    message: messageOf(header, found, toleranceS, altered),
  };
}

/** Changes to a body that are easily made and hardly seen, undone. */
const ALTERATIONS: readonly (readonly [how: string, undo: (text: string) => string | null])[] = [
  ['a line break was added at its end', (text) => text.replace(/\r?\n$/, '')],
  ['it was parsed and serialized again', rewritten],
];

/** JSON without spaces and escapes, which is how notifications are written. */
function rewritten(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return null;
  }
}

/** @returns the change to the body, if undoing it makes the signature valid; null otherwise. */
function alteredHow(
  body: CheckOf['body'],
  checkBody: (body: CheckOf['body']) => SignatureCheck,
): string | null {
  const text = body.toString();
  const found = ALTERATIONS.find(([, undo]) => {
    const undone = undo(text);
    return undone !== null && undone !== text && checkBody(undone).result !== 'wrong';
  });
  return found?.[0] ?? null;
}

function messageOf(
  header: HeaderCheck['header'],
  found: SignatureCheck,
  toleranceS: number,
  altered: string | null,
): string {
  switch (found.result) {
    case 'valid':
      return `Valid: signed ${whenText(found.ageS)}, and the body is what was signed.`;
    case 'no_header':
      return header === SIGNATURE_HEADER
        ? 'The header X-Service-Signature is empty. Copy all that stands behind its colon.'
        : 'It takes three headers: webhook-id, webhook-timestamp and webhook-signature. Give all of them.';
    case 'malformed':
      return header === SIGNATURE_HEADER
        ? 'The header is not whole: it looks like t=1789000000,v1= and 64 letters and digits. Copy all of it.'
        : 'A header is not whole: webhook-timestamp is a number, webhook-signature begins with v1, (with the comma).';
    case 'too_old':
      return `Body and secret are right, but it was signed ${whenText(found.ageS)}, and ${secondsText(toleranceS)} are allowed: it may be a repeat by a stranger. Of one that you captured earlier give its time with --at, or --tolerance 0.`;
    case 'in_the_future':
      return `Body and secret are right, but it was signed ${whenText(found.ageS)}: the clock of this machine or of the gateway is wrong.`;
    case 'wrong':
      return altered === null
        ? 'Not signed with this secret, or this is not the body that was signed. Take the bytes as they came, before anything parses them; a body that was parsed and serialized again is the usual reason. Then compare the secret: whole, with whsec_, of this brand, and the newest.'
        : `The secret is right, but the body is not as it was sent: ${altered}. Take the bytes as they came, before anything reads or saves them as text.`;
    default:
      return found satisfies never;
  }
}

function whenText(ageS: number): string {
  return ageS < 0 ? `${secondsText(-ageS)} in the future` : `${secondsText(ageS)} ago`;
}

/** `45 s`, `5 min`, `3 h`, `2 d`, rounded down. */
function secondsText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

export function checkedLines({ checks }: CheckedNotification, width: number): string[] {
  return checks.flatMap(({ header, message }) => [
    header === SIGNATURE_HEADER ? 'X-Service-Signature' : 'Standard Webhooks (webhook-signature)',
    ...wrap(message, width - 2).map((line) => `  ${line}`),
  ]);
}
