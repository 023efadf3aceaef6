/** Authenticates the push of a bank or acquirer. */
import { timingSafeEqual } from 'node:crypto';
import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { verifySignature } from '../../channels/qr-interbank/push-body.js';
import { isIpAllowed } from '../../domain/accounts/access.js';
import { acquirerByKey } from '../../store/tables/pushes.js';
import { type AcquirerRules, parseRules } from '../acquirers/acquirer-rules.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';

export interface AcquirerContext {
  readonly acquirerId: string;
  readonly merchantId: string;
  readonly rules: AcquirerRules;
  /** Pushes for a suspended merchant are stored and settle nothing. */
  readonly isSuspended: boolean;
}

export interface AcquirerCall {
  /** Acquirer key from a header; undefined if the header is absent. */
  readonly headerKey: string | undefined;
  readonly basic: { readonly user: string; readonly password: string } | undefined;
  /** Key in the URL; only for acquirers that are recognised by their IP address alone. */
  readonly queryKey: string | undefined;
  readonly ip: string;
  readonly body: Uint8Array;
  /** Value of a header, by its name in small letters. */
  header(name: string): string | undefined;
}

/**
 * @throws KashboxError `acquirer_key_missing`, `acquirer_key_invalid`, `acquirer_signature_invalid`,
 * `ip_not_allowed`
 */
export async function authenticateAcquirer(core: Core, call: AcquirerCall): Promise<AcquirerContext> {
  const key = (call.headerKey ?? call.basic?.user ?? call.queryKey ?? '').trim();
  if (key === '') throw new KashboxError('acquirer_key_missing');
  const row = await core.store.read((db) => acquirerByKey.first(db, { hash: hashKey(key) }));
  if (row === undefined) throw new KashboxError('acquirer_key_invalid');
  const isInAddress = call.headerKey === undefined && call.basic === undefined;
  // Proxies log URLs, so a key that is enough on its own must not be in one.
  if (isInAddress && row.auth !== 'ip') throw new KashboxError('acquirer_key_missing');
  const rules = parseRules(row.rules);
  if (!isIpAllowed(call.ip, rules.allow_ips)) throw ipRefused();
  const secret = () => core.secrets.open(row.secret, sealPurpose('acquirer', row.id));
  switch (row.auth) {
    case 'hmac':
      if (!verifySignature(secret(), call.body, call.header(rules.signature.header), rules.signature)) {
        throw new KashboxError('acquirer_signature_invalid');
      }
      break;
    case 'basic':
      if (!isPassword(secret(), call.basic?.password ?? '')) throw wrongPassword();
      break;
    case 'ip':
      break;
    default:
      row.auth satisfies never;
  }
  const isSuspended = row.merchant_status === 'SUSPENDED';
  return { acquirerId: row.id, merchantId: row.merchant_id, rules, isSuspended };
}

/** Compares hashes, so that both inputs of the constant-time comparison have the same length. */
function isPassword(secret: string, given: string): boolean {
  return timingSafeEqual(Buffer.from(hashKey(secret)), Buffer.from(hashKey(given)));
}

function wrongPassword(): KashboxError {
  return new KashboxError('acquirer_signature_invalid', {
    message: 'The password is missing or wrong',
    hint: 'Send Authorization: Basic with the acquirer key as user name and the secret as password.',
  });
}

function ipRefused(): KashboxError {
  return new KashboxError('ip_not_allowed', {
    message: 'Requests from this IP address are not allowed for this acquirer',
    hint: 'Allow the address with `kashbox acquirers update ACQUIRER --allow-ip`.',
  });
}
