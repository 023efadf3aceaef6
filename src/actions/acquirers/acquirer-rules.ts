/**
 * Format of the pushes of one acquirer: field map, signature and addresses, both as typed by an operator and
 * as stored. Does not access the store.
 */
import { refuse } from '../../base/errors/refuse.js';
import { type SignatureRule, USUAL_SIGNATURE } from '../../channels/qr-interbank/push-body.js';
import { CANONICAL_MAP, type PushMap, parsePushMap } from '../../channels/qr-interbank/push-map.js';
import { type AcquirerAuth, isTooWide } from '../../domain/accounts/access.js';
import { ipRangesField } from '../input/fields.js';

export interface AcquirerRules {
  readonly map: PushMap;
  /** IP addresses and CIDR ranges; empty means any. */
  readonly allow_ips: readonly string[];
  readonly signature: SignatureRule;
}

export interface TypedRules {
  readonly auth: AcquirerAuth;
  readonly allowIps?: readonly string[] | undefined;
  /** Parsed JSON. */
  readonly map?: unknown;
  readonly signatureHeader?: string | undefined;
  readonly signatureEncoding?: 'hex' | 'base64' | undefined;
  readonly signaturePrefix?: string | undefined;
}

/** Default rules: the acquirer sends pushes in the canonical format. */
const NEW_RULES: AcquirerRules = { map: CANONICAL_MAP, allow_ips: [], signature: USUAL_SIGNATURE };

/** @param before what stays where nothing is typed. @throws KashboxError `invalid_input` */
export function rulesField(typed: TypedRules, before: AcquirerRules = NEW_RULES): AcquirerRules {
  const allowIps = JSON.parse(ipRangesField('allow-ip', typed.allowIps ?? before.allow_ips)) as string[];
  if (typed.auth === 'ip') checkSenders(allowIps);
  return {
    map: typed.map === undefined ? before.map : mapField(typed.map),
    allow_ips: allowIps,
    signature: signatureField(typed, before.signature),
  };
}

/** A wide range is safe with a signature or a password; without them anyone could report payments. */
function checkSenders(allowIps: readonly string[]): void {
  if (allowIps.length === 0) {
    refuse('allow-ip is missing', 'With --auth ip only the address authenticates the sender: name it.');
  }
  const wide = allowIps.find(isTooWide);
  if (wide === undefined) return;
  refuse(
    `allow-ip ${wide} is too wide: with --auth ip anyone in it could report payments`,
    'Name the addresses from which the bank sends, such as 203.0.113.7 or 203.0.113.0/24.',
  );
}

function mapField(given: unknown): PushMap {
  const read = parsePushMap(given);
  if (read.ok) return read.map;
  return refuse(
    `The map is not valid: ${read.faults.join('; ')}`,
    'Correct all of it at once; docs/bank-qr.md has maps for three acquirers.',
  );
}

function signatureField(typed: TypedRules, before: SignatureRule): SignatureRule {
  const { signatureHeader, signatureEncoding, signaturePrefix } = typed;
  const isGiven = [signatureHeader, signatureEncoding, signaturePrefix].some((text) => text !== undefined);
  if (isGiven && typed.auth !== 'hmac') {
    refuse(`A signature does not go with --auth ${typed.auth}`, 'Leave it out, or use --auth hmac.');
  }
  const header = (signatureHeader ?? before.header).trim().toLowerCase();
  if (!/^[a-z0-9-]{1,60}$/.test(header)) {
    refuse(`signature-header "${header}" is not a header name`, 'Write it as X-Signature.');
  }
  const prefix = signaturePrefix ?? before.prefix;
  if (!/^[\x21-\x7e]{0,20}$/.test(prefix)) {
    refuse('signature-prefix may have 20 characters without spaces', 'Write it as sha256=');
  }
  return { header, encoding: signatureEncoding ?? before.encoding, prefix };
}

/** @param json text of `acquirers.rules`. */
export function parseRules(json: string): AcquirerRules {
  return JSON.parse(json) as AcquirerRules;
}
