/**
 * Rules for certificates of an ACME authority (RFC 8555): when to renew, when to try again after a failure,
 * and what each failure means to an operator. Pure.
 */
import { msg, type Text } from '../../base/values/msg.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Validity of a certificate, milliseconds since the epoch. */
export interface Validity {
  readonly validFrom: number;
  readonly validUntil: number;
}

/** True from two thirds of a certificate's lifetime on, as Let's Encrypt recommends. */
export function isRenewalDue({ validFrom, validUntil }: Validity, now: number): boolean {
  return now >= validFrom + (validUntil - validFrom) * (2 / 3);
}

/**
 * Pauses after the first, second, … failure in a row. Let's Encrypt allows five failed validations of a name
 * per hour.
 */
const PAUSES_MS = [1, 5, 25, 120, 360].map((minutes) => minutes * MINUTE_MS);

/**
 * @param failures in a row, at least 1.
 * @param retryAfterMs pause that the authority requires, or 0.
 * @returns earliest time of the next attempt, milliseconds since the epoch.
 */
export function nextAttemptAt(failures: number, now: number, retryAfterMs: number): number {
  const pauseMs = PAUSES_MS[Math.min(failures, PAUSES_MS.length) - 1] ?? MINUTE_MS;
  return now + Math.max(pauseMs, retryAfterMs);
}

/** Failures in a row from which an alert is sent: half an hour of trying. */
export const FAILURES_UNTIL_ALERT = 3;
/** Remaining validity at which a failing renewal is alerted a second time. */
export const LAST_DAYS_MS = 7 * DAY_MS;

/** @returns full days until a time, never negative. */
export function daysLeft(until: number, now: number): number {
  return Math.max(0, Math.floor((until - now) / DAY_MS));
}

export type AcmeProblemKind =
  | 'dns'
  | 'connection'
  | 'wrong_server'
  | 'caa'
  | 'rejected_domain'
  | 'rate_limited'
  | 'bad_email'
  | 'binding_required'
  | 'authority_unreachable'
  | 'authority_untrusted'
  | 'clock'
  | 'other';

/** Why no certificate was issued. */
export interface AcmeProblem {
  readonly kind: AcmeProblemKind;
  /** Words of the authority or of the network; may be empty. */
  readonly detail: string;
}

/** Problem types of RFC 8555, section 6.7, without their prefix. */
const KINDS: Readonly<Record<string, AcmeProblemKind>> = {
  dns: 'dns',
  connection: 'connection',
  tls: 'connection',
  unauthorized: 'wrong_server',
  incorrectResponse: 'wrong_server',
  caa: 'caa',
  rejectedIdentifier: 'rejected_domain',
  unsupportedIdentifier: 'rejected_domain',
  rateLimited: 'rate_limited',
  invalidContact: 'bad_email',
  unsupportedContact: 'bad_email',
  externalAccountRequired: 'binding_required',
};

/** @param type such as `urn:ietf:params:acme:error:dns`. */
export function problemKind(type: string): AcmeProblemKind {
  return KINDS[type.replace('urn:ietf:params:acme:error:', '')] ?? 'other';
}

/** What is wrong, in one sentence without a full stop, and what to do. */
interface Explanation {
  readonly problem: Text;
  readonly remedy: Text;
}

const EXPLANATIONS: Readonly<Record<AcmeProblemKind, (domain: string, detail: string) => Explanation>> = {
  dns: (domain) => ({
    problem: msg`the domain ${domain} has no address`,
    remedy: msg`Create an A record for ${domain} with the public address of this server where the domain is registered.`,
  }),
  connection: (domain) => ({
    problem: msg`port 80 of ${domain} does not answer`,
    remedy: msg`Open port 80 in the firewall and at the provider, and forward it to the plain HTTP port of Kashbox (--http-port). If ${domain} has an AAAA record, IPv6 must work too.`,
  }),
  wrong_server: (domain) => ({
    problem: msg`port 80 of ${domain} is answered by another server`,
    remedy: msg`Point the A record of ${domain} to this server, and remove an AAAA record that names another one. A web server in front must pass /.well-known/acme-challenge/ on to Kashbox.`,
  }),
  caa: (domain) => ({
    problem: msg`a CAA record of ${domain} does not allow this certificate authority`,
    remedy: msg`Change the CAA record where the domain is registered, or remove it.`,
  }),
  rejected_domain: (domain) => ({
    problem: msg`the certificate authority issues no certificate for ${domain}`,
    remedy: msg`Check the spelling of the domain, and use a name that is registered publicly.`,
  }),
  rate_limited: () => ({
    problem: msg`the certificate authority allows no more attempts for now`,
    remedy: msg`Correct the problem of the attempts before; the daemon tries again automatically.`,
  }),
  bad_email: () => ({
    problem: msg`the certificate authority does not accept the e-mail address`,
    remedy: msg`Correct --acme-email, or leave it out.`,
  }),
  binding_required: () => ({
    problem: msg`this certificate authority requires an account that was created on its website`,
    remedy: msg`Use Let's Encrypt (no --acme-directory).`,
  }),
  authority_unreachable: (_, detail) => ({
    problem: msg`the certificate authority cannot be reached: ${detail}`,
    remedy: msg`Check the internet connection of this server, its DNS and its firewall (outgoing port 443).`,
  }),
  authority_untrusted: (_, detail) => ({
    problem: msg`the certificate of the certificate authority is not trusted: ${detail}`,
    remedy: msg`Check --acme-directory. For a private authority, name its root certificate in NODE_EXTRA_CA_CERTS.`,
  }),
  clock: () => ({
    problem: msg`the clock of this machine is wrong: the certificate of the certificate authority is not valid at this time`,
    remedy: msg`Set the clock and enable NTP: timedatectl set-ntp true`,
  }),
  other: (_, detail) => ({
    problem: msg`the certificate authority answered: ${detail}`,
    remedy: msg`Read that answer; the daemon tries again automatically.`,
  }),
};

export function explainProblem({ kind, detail }: AcmeProblem, domain: string): Explanation {
  return EXPLANATIONS[kind](domain, detail);
}
