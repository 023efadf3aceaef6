/** Sends one request with Node's own HTTP client and returns the JSON answer. Follows no redirect. */
import { readFileSync } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { ApiConnectionError, RefusedError } from './errors.js';
import { refuse } from './input.js';

export interface Connection {
  /** Address of the installation, without a slash at the end. */
  readonly url: string;
  readonly key: string;
  /** The only certificate to trust, as PEM; undefined for those of Node. */
  readonly ca: string | undefined;
  readonly timeoutS: number;
}

const MAX_ANSWER = 1_048_576;
const NOT_TRUSTED =
  'its certificate is not trusted. If Kashbox created it itself, set ca to a copy of its tls/cert.pem, and ' +
  'url to a name in it. Never turn the check off.';
const TIMEOUT = 'no answer within the timeout. The same call may be repeated.';

/** @param path file; empty for the certificates of Node. */
export function readCertificate(path: string): string | undefined {
  if (path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return refuse(`Set ca to a certificate that this program can read: ${path} is not.`);
  }
}

export function strange(url: string, what: string): ApiConnectionError {
  return new ApiConnectionError(
    `${url} answered ${what}: check that url is the address of Kashbox itself, and that no login page or ` +
      'proxy is in front of it.',
  );
}

type Json = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** @param path of the route, without the slash at its start. @returns the JSON answer of HTTP 200. */
export async function call(
  connection: Connection,
  path: string,
  fields: Json,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const { url, key } = connection;
  const all = {
    'BRAND-KEY': key,
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...headers,
  };
  const { status, body } = await send(connection, `/api/${path}`, all, JSON.stringify(fields)).catch(
    (error: Error) => {
      throw new ApiConnectionError(
        `Kashbox at ${url} cannot be reached: ${error.message.replaceAll(key, '…')}`,
      );
    },
  );
  if (status >= 300 && status < 400) throw strange(url, `a redirect (HTTP ${status})`);
  const answer = parseObject(body);
  if (answer === undefined) throw strange(url, `HTTP ${status} without JSON`);
  if (status === 200) return answer;
  const { message } = answer;
  const reason = typeof message === 'string' ? message.replaceAll(key, '…') : 'no reason given';
  throw new RefusedError(status, reason);
}

export function parseObject(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function send(
  { url, ca, timeoutS }: Connection,
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string,
): Promise<{ status: number; body: string }> {
  const request = url.toLowerCase().startsWith('https:') ? requestHttps : requestHttp;
  const signal = AbortSignal.timeout(timeoutS * 1_000);
  const length = { 'Content-Length': Buffer.byteLength(body) };
  // Without an agent no connection is kept, so that none is used that the server has closed.
  const options = {
    method: 'POST',
    headers: { ...headers, ...length },
    signal,
    agent: false,
    ...(ca && { ca }),
  };
  try {
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(`${url}${path}`, options, resolve).on('error', reject).end(body);
    });
    return { status: response.statusCode ?? 0, body: await bodyOf(response) };
  } catch (error) {
    // In the middle of an answer the error is that of a lost connection.
    throw signal.aborted ? new Error(TIMEOUT) : new Error(reasonOf(error as SystemError));
  }
}

async function bodyOf(response: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of response as AsyncIterable<Buffer>) {
    parts.push(part);
    size += part.length;
    if (size > MAX_ANSWER) throw new Error('The answer is too long');
  }
  return Buffer.concat(parts).toString('utf8');
}

type SystemError = Error & { readonly code?: string };

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/;

function reasonOf({ code, message }: SystemError): string {
  if (CERTIFICATE.test(code ?? '')) return NOT_TRUSTED;
  // Several addresses of one name give an error without a message.
  return `${message || code}. Check url, and that Kashbox is running.`;
}
