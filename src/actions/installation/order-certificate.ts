/** Orders a certificate from an ACME authority (RFC 8555), validated by HTTP-01. Stores nothing. */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { Client } from 'acme-client';
import type { AxiosResponse, InternalAxiosRequestConfig } from 'axios';
import { describeNetFailure, errorCode } from '../../base/io/net-failure.js';
import { type AcmeProblem, problemKind } from '../../domain/certificates/public-certificate.js';
import type { TlsFiles } from './certificate.js';

interface CertificateOrder {
  /** URL of the authority's directory. */
  readonly directory: string;
  /** Contact for the authority; empty for none. */
  readonly email: string;
  /** Host name that the certificate is for. */
  readonly domain: string;
  /** PEM key of the account, which is created if the authority does not know it. */
  readonly accountKey: string;
  /** Makes `/.well-known/acme-challenge/TOKEN` of the domain answer with a text from now on. */
  publish(token: string, keyAuthorization: string): Promise<void>;
}

/** The order failed. */
export class OrderError extends Error {
  constructor(
    readonly problem: AcmeProblem,
    /** Pause that the authority requires, in milliseconds, or 0. */
    readonly retryAfterMs = 0,
  ) {
    super(`${problem.kind}: ${problem.detail}`);
  }
}

const CALL_MS = 20_000;
const MAX_ANSWER = 1_048_576;
const MAX_DETAIL = 300;
/** Polls of an order or a challenge, from a quarter of a second to five seconds apart: 80 s in all. */
const POLLING = { backoffAttempts: 20, backoffMin: 250, backoffMax: 5_000 };

/** @returns PEM key of a new account. */
export async function createAccountKey(): Promise<string> {
  const { crypto } = await loadAcme();
  return (await crypto.createPrivateEcdsaKey()).toString();
}

/** @returns the certificate with its chain, and its new key. @throws OrderError */
export async function orderCertificate(order: CertificateOrder): Promise<TlsFiles> {
  const { directory, email, domain, accountKey } = order;
  try {
    const { Client, crypto } = await loadAcme();
    const client = new Client({ directoryUrl: directory, accountKey, ...POLLING });
    await openAccount(client, email);
    const placed = await client.createOrder({ identifiers: [{ type: 'dns', value: domain }] });
    for (const authorization of await client.getAuthorizations(placed)) {
      if (authorization.status === 'valid') continue;
      const challenge = authorization.challenges.find(({ type }) => type === 'http-01');
      if (challenge === undefined) throw refused('other', 'it offers no validation by HTTP-01');
      await order.publish(challenge.token, await client.getChallengeKeyAuthorization(challenge));
      if (challenge.status === 'pending') await client.completeChallenge(challenge);
      await client.waitForValidStatus(challenge).catch(async (error: unknown) => {
        const failure = (await client.getAuthorizations(placed)).flatMap(challengeErrors).at(0);
        throw failure === undefined ? error : refused(problemKind(failure.type), failure.detail);
      });
    }
    const [key, request] = await crypto.createCsr(
      { commonName: domain, altNames: [domain] },
      await crypto.createPrivateEcdsaKey(),
    );
    const cert = await client.getCertificate(await client.finalizeOrder(placed, request));
    return checked({ cert, key: key.toString() }, domain);
  } catch (error) {
    throw error instanceof OrderError ? error : networkError(error);
  }
}

/**
 * Creates the account, or finds the one that the authority has for this key. The client then updates the one
 * it found, and some authorities refuse an update that changes nothing.
 */
async function openAccount(client: Client, email: string): Promise<void> {
  const contact = email === '' ? {} : { contact: [`mailto:${email}`] };
  try {
    await client.createAccount({ termsOfServiceAgreed: true, ...contact });
  } catch (error) {
    if (!hasAccount(client)) throw error;
  }
}

function hasAccount(client: Client): boolean {
  try {
    return client.getAccountUrl() !== '';
  } catch {
    return false;
  }
}

interface ProblemDocument {
  readonly type: string;
  readonly detail: string;
}

/** RFC 8555, section 8: a challenge that failed has a problem document (RFC 7807). */
function challengeErrors({ challenges }: { readonly challenges: readonly object[] }): ProblemDocument[] {
  return challenges.flatMap((challenge) => ('error' in challenge ? [parseProblem(challenge.error)] : []));
}

function parseProblem(value: unknown): ProblemDocument {
  const { type = '', detail = '' } = (value ?? {}) as Readonly<Record<string, unknown>>;
  return { type: String(type), detail: String(detail).replace(/\s+/g, ' ').slice(0, MAX_DETAIL) };
}

function refused(kind: AcmeProblem['kind'], detail: string, retryAfterMs = 0): OrderError {
  return new OrderError({ kind, detail }, retryAfterMs);
}

/** @throws OrderError if the authority returned a certificate that cannot be served. */
function checked(files: TlsFiles, domain: string): TlsFiles {
  let fits: boolean;
  try {
    const key = createPrivateKey(files.key);
    const certificate = new X509Certificate(files.cert);
    fits = certificate.checkPrivateKey(key) && certificate.checkHost(domain) !== undefined;
  } catch {
    fits = false;
  }
  if (!fits) throw refused('other', 'a certificate that does not belong to the key or to the domain');
  return files;
}

const CLOCK_CODES = ['CERT_NOT_YET_VALID', 'CERT_HAS_EXPIRED'];

function networkError(error: unknown): OrderError {
  const code = errorCode(error);
  if (CLOCK_CODES.includes(code)) return refused('clock', code);
  if (error instanceof Error && error.name === 'TimeoutError') {
    return refused('authority_unreachable', `no answer within ${CALL_MS / 1_000} seconds`);
  }
  if (code === 'unknown') return refused('other', error instanceof Error ? error.message : String(error));
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') {
    return refused('authority_unreachable', 'its host name does not resolve');
  }
  const { kind, detail } = describeNetFailure(error);
  return refused(kind === 'tls' ? 'authority_untrusted' : 'authority_unreachable', detail);
}

let loaded: Promise<typeof import('acme-client')> | undefined;

/** Loaded for the first order: few installations have a domain, and it takes 20 MiB. */
function loadAcme(): Promise<typeof import('acme-client')> {
  loaded ??= import('acme-client').then((module) => {
    const acme = module.default ?? module;
    // Its own transport retries for minutes, and reports neither failures of the network nor problem types.
    acme.axios.defaults.adapter = callAuthority;
    return acme;
  });
  return loaded;
}

/**
 * One HTTP request to the authority, in the form of an adapter of axios.
 * @throws OrderError for each refusal but a bad nonce, which the client repeats with another
 */
async function callAuthority(config: InternalAxiosRequestConfig): Promise<AxiosResponse> {
  const answer = await fetch(config.url ?? '', {
    method: (config.method ?? 'get').toUpperCase(),
    headers: Object.fromEntries(Object.entries(config.headers).map(([name, value]) => [name, String(value)])),
    body: config.data ?? null,
    signal: AbortSignal.timeout(CALL_MS),
  });
  const data = await answer.text();
  if (data.length > MAX_ANSWER) throw refused('other', 'an answer of more than 1 MiB');
  if (!answer.ok) throwRefusal(answer, data);
  const { status, statusText } = answer;
  return { data, status, statusText, headers: Object.fromEntries(answer.headers), config };
}

function throwRefusal({ status, headers }: Response, text: string): void {
  const { type, detail } = parseProblem(tryJson(text));
  if (type.endsWith(':badNonce')) return;
  const kind = status === 429 ? 'rate_limited' : problemKind(type);
  // Only a challenge speaks of the domain's server.
  const isElsewhere = kind === 'wrong_server' || kind === 'connection';
  throw refused(isElsewhere ? 'other' : kind, detail || `status ${status}`, retryAfterMs(headers));
}

function tryJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** RFC 9110, 10.2.3: seconds, or a date, by the clock of the authority. */
function retryAfterMs(headers: Headers): number {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : secondsBetween(headers.get('date') ?? '', text);
  return Number.isFinite(seconds) ? Math.max(0, seconds * 1_000) : 0;
}

const secondsBetween = (from: string, until: string) => (Date.parse(until) - Date.parse(from)) / 1_000;
