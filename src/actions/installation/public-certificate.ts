/**
 * The certificate for the setting `domain`, from an ACME authority. Account, certificate, open challenge and
 * the record of attempts are facts in the store, keys sealed: all daemons of the store share them, any of
 * them can answer the authority, and a killed one leaves nothing half done.
 */
import { X509Certificate } from 'node:crypto';
import { dhakaIso } from '../../base/values/clock.js';
import { translate } from '../../base/values/msg.js';
import {
  type AcmeProblem,
  daysLeft,
  explainProblem,
  FAILURES_UNTIL_ALERT,
  isRenewalDue,
  LAST_DAYS_MS,
  nextAttemptAt,
  type Validity,
} from '../../domain/certificates/public-certificate.js';
import type { Db } from '../../store/schema/index.js';
import { installationFact, keepFact, removeFact, setFact } from '../../store/tables/installation.js';
import { endAlert, raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { ifReadable } from '../core/sealing.js';
import type { TlsFiles } from './certificate.js';
import { createAccountKey, OrderError, orderCertificate } from './order-certificate.js';

export interface PublicCertificate extends TlsFiles, Validity {
  readonly domain: string;
}

/** Record of the attempts to get a certificate since the last success. */
interface Attempts {
  readonly domain: string;
  readonly directory: string;
  /** Failures in a row. */
  readonly failures: number;
  /** Times of the first of these failures, of the last and the next attempt, milliseconds since the epoch. */
  readonly since: number;
  readonly at: number;
  readonly nextAt: number;
  /** Until when the authority refuses attempts; an operator cannot skip this. */
  readonly blockedUntil: number;
  /** Why the last attempt failed; null while none has. */
  readonly problem: AcmeProblem | null;
  /** Daemon that is at it, and until when it has the turn; it extends its turn while it is alive. */
  readonly holder: string;
  readonly leaseUntil: number;
}

const CERTIFICATE_PURPOSE = 'installation:public-certificate';
const ACCOUNT_PURPOSE = 'installation:acme-account';

/**
 * @returns the certificate to serve; null without the setting `domain`, before the first certificate, after
 * the last one has expired, and if it was sealed under another key file.
 */
export async function loadPublicCertificate(core: Core): Promise<PublicCertificate | null> {
  const { domain } = core.settings;
  if (domain === '') return null;
  const sealed = await core.store.read((db) => installationFact(db, 'public_certificate'));
  const text = openSealed(core, sealed, CERTIFICATE_PURPOSE);
  if (text === null) return null;
  const stored = JSON.parse(text) as TlsFiles & { readonly domain: string };
  const validity = validityOf(stored.cert);
  const isUsable = stored.domain === domain && validity.validUntil > core.clock.now();
  return isUsable ? { ...stored, ...validity } : null;
}

/** @returns null if nothing was attempted for the present domain and authority since the last success. */
export async function loadAttempts(core: Core): Promise<Attempts | null> {
  return parseAttempts(core, await core.store.read((db) => installationFact(db, 'acme_attempts')));
}

/** @returns the text for `/.well-known/acme-challenge/TOKEN`; null for an unknown token. */
export async function answerChallenge(core: Core, token: string): Promise<string | null> {
  const facts = await core.store.read(async (db) => [
    await installationFact(db, 'acme_challenge'),
    await installationFact(db, 'acme_probe'),
  ]);
  for (const fact of facts) {
    if (fact === undefined) continue;
    const stored = JSON.parse(fact) as { readonly token: string; readonly answer: string };
    if (stored.token === token) return stored.answer;
  }
  return null;
}

/** Stores a token that the doctor requests as the authority would. */
export async function publishProbe(core: Core, token: string): Promise<void> {
  await core.store.write((db) => setFact(db, 'acme_probe', JSON.stringify({ token, answer: token })));
}

export async function removeProbe(core: Core): Promise<void> {
  await core.store.write((db) => removeFact(db, 'acme_probe'));
}

/**
 * Shortens the pause after a failure, because an operator may have corrected something: to a minute after the
 * attempt, and to what the authority allows.
 */
export async function requestAttempt(core: Core): Promise<void> {
  const before = await core.store.read((db) => installationFact(db, 'acme_attempts'));
  const known = parseAttempts(core, before);
  if (known === null) return;
  const nextAt = Math.min(known.nextAt, Math.max(known.blockedUntil, known.at + MIN_PAUSE_MS));
  if (nextAt < known.nextAt) await replaceAttempts(core, before, { ...known, nextAt });
}

/** How long a killed daemon blocks the others, in ms; a living one extends its turn three times as often. */
const LEASE_MS = 10_000;
/** Clocks of several machines differ a little. */
const CLOCK_DIFFERENCE_MS = 60_000;
/** Minimum pause between attempts. */
const MIN_PAUSE_MS = 60_000;

interface RenewOptions {
  /** Identifies this daemon. */
  readonly holder: string;
  /** Aborted when the daemon stops; the attempt is then abandoned. */
  readonly signal: AbortSignal;
}

export type RenewalResult =
  | { readonly outcome: 'not_due' | 'waiting' | 'held_by_another' | 'abandoned' }
  | { readonly outcome: 'renewed'; readonly certificate: PublicCertificate }
  | { readonly outcome: 'failed'; readonly problem: AcmeProblem; readonly nextAt: number };

/**
 * Obtains the first certificate, or a new one if the present one has passed two thirds of its life. The
 * present one stays until the new one is stored.
 * @throws errors of the store
 */
export async function renewCertificate(core: Core, options: RenewOptions): Promise<RenewalResult> {
  const { holder, signal } = options;
  if (!isDue(core, await loadPublicCertificate(core))) return { outcome: 'not_due' };
  const turn = await takeTurn(core, holder);
  if (typeof turn === 'string') return { outcome: turn };
  // Another daemon may have finished between the two looks.
  const present = await loadPublicCertificate(core);
  if (!isDue(core, present)) {
    await core.store.write((db) => removeFact(db, 'acme_attempts'));
    return { outcome: 'not_due' };
  }
  const extending = extendTurn(core, turn);
  try {
    const files = await untilAborted(placeOrder(core), signal);
    if (files === null) {
      await extending.stop();
      await storeAttempts(core, { ...turn, leaseUntil: 0 });
      return { outcome: 'abandoned' };
    }
    const certificate = { ...files, ...validityOf(files.cert), domain: core.settings.domain };
    await extending.stop();
    await storeCertificate(core, certificate, turn);
    return { outcome: 'renewed', certificate };
  } catch (error) {
    await extending.stop();
    if (!(error instanceof OrderError)) throw error;
    const { problem, retryAfterMs } = error;
    const nextAt = await storeFailure(core, { turn, problem, retryAfterMs, present });
    return { outcome: 'failed', problem, nextAt };
  } finally {
    await extending.stop();
  }
}

const isDue = ({ clock }: Core, present: PublicCertificate | null) =>
  present === null || isRenewalDue(present, clock.now());

/** @returns null if the signal came first; the result of the promise is then ignored. */
async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T | null> {
  const aborted = new Promise<null>((resolve) => {
    if (signal.aborted) resolve(null);
    signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  promise.catch(() => {});
  return Promise.race([promise, aborted]);
}

async function placeOrder(core: Core): Promise<TlsFiles> {
  const { domain, acmeDirectory: directory, acmeEmail: email } = core.settings;
  const accountKey = await accountKeyFor(core, directory);
  const publish = (token: string, answer: string) =>
    core.store.write((db) => setFact(db, 'acme_challenge', JSON.stringify({ token, answer })));
  return orderCertificate({ directory, email, domain, accountKey, publish });
}

/** Stored before the authority receives it, so that killed daemons do not create more accounts. */
async function accountKeyFor(core: Core, directory: string): Promise<string> {
  const sealed = await core.store.read((db) => installationFact(db, 'acme_account'));
  const text = openSealed(core, sealed, ACCOUNT_PURPOSE);
  const stored = text === null ? null : (JSON.parse(text) as { directory: string; key: string });
  if (stored?.directory === directory) return stored.key;
  const key = await createAccountKey();
  const value = core.secrets.seal(JSON.stringify({ directory, key }), ACCOUNT_PURPOSE);
  await core.store.write((db) => setFact(db, 'acme_account', value));
  return key;
}

/** A turn is a row of the store: of several daemons only one speaks with the authority. */
async function takeTurn(core: Core, holder: string): Promise<Attempts | 'waiting' | 'held_by_another'> {
  const now = core.clock.now();
  const before = await core.store.read((db) => installationFact(db, 'acme_attempts'));
  const known = parseAttempts(core, before);
  if (known !== null) {
    // A turn that seems to last longer was taken by a clock that was fast.
    const isHeld = known.leaseUntil > now && known.leaseUntil <= now + LEASE_MS + CLOCK_DIFFERENCE_MS;
    if (isHeld && known.holder !== holder) return 'held_by_another';
    // A clock that was set back must not make it wait for days.
    if (known.failures > 0 && known.nextAt > now && known.at <= now) return 'waiting';
  }
  const turn: Attempts = {
    ...{ domain: core.settings.domain, directory: core.settings.acmeDirectory },
    ...{ failures: known?.failures ?? 0, since: known?.since ?? now, problem: known?.problem ?? null },
    ...{ at: now, nextAt: now, blockedUntil: 0, holder, leaseUntil: now + LEASE_MS },
  };
  return (await replaceAttempts(core, before, turn)) ? turn : 'held_by_another';
}

/** @returns false if another daemon has changed it since it was read. */
async function replaceAttempts(core: Core, before: string | undefined, turn: Attempts): Promise<boolean> {
  const value = JSON.stringify(turn);
  return core.store.write(async (db) => {
    await keepFact(db, 'acme_attempts', { before, value });
    return (await installationFact(db, 'acme_attempts')) === value;
  });
}

const storeAttempts = (core: Core, attempts: Attempts) =>
  core.store.write((db) => setFact(db, 'acme_attempts', JSON.stringify(attempts)));

/** Extends a turn until it is stopped; stopping waits for an extension in progress. */
function extendTurn(core: Core, turn: Attempts): { stop(): Promise<void> } {
  let isStopped = false;
  let extending = Promise.resolve();
  let cancel = () => {};
  const extend = async () => {
    const extended = { ...turn, leaseUntil: core.clock.now() + LEASE_MS };
    // A store that is away for a moment ends the turn at worst.
    await storeAttempts(core, extended).catch(() => {});
    if (!isStopped) schedule();
  };
  const schedule = () => {
    cancel = core.timers.after(LEASE_MS / 3, () => {
      extending = extend();
    });
  };
  schedule();
  return {
    stop: () => {
      isStopped = true;
      cancel();
      return extending;
    },
  };
}

async function storeCertificate(core: Core, certificate: PublicCertificate, turn: Attempts): Promise<void> {
  const { domain, cert, key } = certificate;
  const value = core.secrets.seal(JSON.stringify({ domain, cert, key }), CERTIFICATE_PURPOSE);
  await core.store.write(async (db) => {
    await setFact(db, 'public_certificate', value);
    await removeFact(db, 'acme_attempts');
    await removeFact(db, 'acme_challenge');
    for (const stage of STAGES) await endAlert(core, db, incidentOf(turn, stage));
  });
}

interface Failure {
  readonly turn: Attempts;
  readonly problem: AcmeProblem;
  readonly retryAfterMs: number;
  /** Certificate that is served until then. */
  readonly present: PublicCertificate | null;
}

/** @returns time of the next attempt, milliseconds since the epoch. */
async function storeFailure(core: Core, { turn, problem, retryAfterMs, present }: Failure): Promise<number> {
  const now = core.clock.now();
  const failures = turn.failures + 1;
  const nextAt = nextAttemptAt(failures, now, retryAfterMs);
  const blockedUntil = now + retryAfterMs;
  const failed: Attempts = { ...turn, failures, problem, nextAt, blockedUntil, leaseUntil: 0 };
  await core.store.write(async (db) => {
    await setFact(db, 'acme_attempts', JSON.stringify(failed));
    if (failures >= FAILURES_UNTIL_ALERT) await alertFailure(core, db, failed, present);
  });
  return nextAt;
}

const STAGES = ['failing', 'last-days'] as const;

const incidentOf = ({ domain, since }: Attempts, stage: (typeof STAGES)[number]) =>
  `certificate.failing:${domain}:${since}:${stage}`;

async function alertFailure(
  core: Core,
  db: Db,
  failed: Attempts,
  present: PublicCertificate | null,
): Promise<void> {
  const now = core.clock.now();
  const { domain, problem } = failed;
  if (problem === null) return;
  const isLate = present === null || present.validUntil - now < LAST_DAYS_MS;
  await raiseAlert(core, db, {
    kind: 'certificate.failing',
    merchantId: null,
    detail: {
      domain,
      problem: translate(explainProblem(problem, domain).problem),
      remedy: translate(explainProblem(problem, domain).remedy),
      days_left: present === null ? null : daysLeft(present.validUntil, now),
      failing_since: dhakaIso(failed.since),
    },
    incident: incidentOf(failed, isLate ? 'last-days' : 'failing'),
  });
}

function parseAttempts(core: Core, text: string | undefined): Attempts | null {
  if (text === undefined) return null;
  const attempts = JSON.parse(text) as Attempts;
  const { domain, acmeDirectory } = core.settings;
  return attempts.domain === domain && attempts.directory === acmeDirectory ? attempts : null;
}

function openSealed(core: Core, sealed: string | undefined, purpose: string): string | null {
  return sealed === undefined ? null : ifReadable(() => core.secrets.open(sealed, purpose));
}

function validityOf(cert: string): Validity {
  const { validFrom, validTo } = new X509Certificate(cert);
  return { validFrom: Date.parse(validFrom), validUntil: Date.parse(validTo) };
}
