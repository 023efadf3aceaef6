/**
 * Runs a webhook receiver for development on this machine: verifies signatures and detects duplicates. Prints
 * nothing; calls back for each notification.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { KashboxError } from '../../base/errors/errors.js';
import { visible } from '../../base/values/cells.js';
import { dhakaIso, dhakaText } from '../../base/values/clock.js';
import { checkSignature, checkStandardSignature, SIGNATURE_HEADER } from '../../notify/signature.js';
import { formatKeyValues } from '../text/table.js';
import { type SignatureVerdict, TOLERANCE_S } from './webhook-check.js';

export interface ReceivedNotification {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The `webhook-id`; null where none was sent. */
  readonly id: string | null;
  /** Number of times this id was received, from 1. */
  readonly times: number;
  readonly path: string;
  readonly contentType: string;
  /** The body as text. */
  readonly content: string;
  /** Result of the check; `unchecked` if there is no secret. */
  readonly signature: SignatureVerdict;
  readonly standardSignature: SignatureVerdict;
  /** HTTP status that it was answered with. */
  readonly answered: number;
}

/** @returns whether it was checked and a signature is missing or not right. */
function isWrong(verdicts: Pick<ReceivedNotification, 'signature' | 'standardSignature'>): boolean {
  const { signature, standardSignature } = verdicts;
  return [signature, standardSignature].some((one) => one !== 'valid' && one !== 'unchecked');
}

export interface ReceiverOptions {
  /** 0 takes a free one. */
  readonly port: number;
  readonly host: string;
  /** The one path that is answered; null for any. */
  readonly path?: string | null;
  /** Status code of all responses; null for 200, or 401 if a signature is not valid. */
  readonly status: number | null;
  /** Called for each notification, because secrets may be rotated. An empty list disables the check. */
  secrets(): Promise<readonly string[]>;
  /** Milliseconds since the epoch. */
  now(): number;
  onReceived(received: ReceivedNotification): void;
  /** Reports why a request was not accepted; it is not recorded. */
  onRefused?(reason: string): void;
}

export interface Receiver {
  /** URL of the receiver, such as `http://127.0.0.1:9090/`. */
  readonly url: string;
  close(): Promise<void>;
}

const MAX_BODY = 1_048_576;
const MAX_REMEMBERED = 10_000;

/** @throws KashboxError `port_unavailable` */
export async function startReceiver(options: ReceiverOptions): Promise<Receiver> {
  const seen = new Map<string, number>();
  const server = createServer({ headersTimeout: 5_000, requestTimeout: 10_000 }, (request, response) => {
    take(options, seen, request, response).catch((error: unknown) => {
      options.onRefused?.(error instanceof Error ? error.message : String(error));
      if (!response.headersSent) answer(response, 500);
    });
  });
  await listening(server, options);
  const { port } = server.address() as AddressInfo;
  const host = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${host}:${port}${options.path ?? '/'}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listening(server: Server, { port, host }: ReceiverOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there' : cause.message;
      reject(
        new KashboxError('port_unavailable', {
          message: `Port ${port} of ${host} cannot be used: ${why}`,
          hint: 'Choose another with --port; 0 takes a free one.',
          cause,
        }),
      );
    });
    server.listen(port, host, resolve);
  });
}

async function take(
  options: ReceiverOptions,
  seen: Map<string, number>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const refuse = (status: number, reason: string): void => {
    options.onRefused?.(`${request.method} ${request.url}: ${reason}; answered ${status}`);
    answer(response, status);
  };
  const [path = '/'] = (request.url ?? '/').split('?');
  if (options.path !== undefined && options.path !== null && path !== options.path) {
    return refuse(404, `only ${options.path} is answered`);
  }
  if (request.method !== 'POST') return refuse(405, 'notifications come by POST');
  const body = await bodyOf(request);
  if (body === 'too long') return refuse(413, 'the body is longer than 1 MiB');
  // Who hung up before its end has sent nothing that could be checked.
  if (body === 'broken off') return options.onRefused?.(`POST ${request.url}: broken off before its end`);
  const at = options.now();
  const verdicts = verdictsOf(request, body, await options.secrets(), at);
  const answered = options.status ?? (isWrong(verdicts) ? 401 : 200);
  answer(response, answered);
  const id = textOf(request.headers['webhook-id']);
  options.onReceived({
    at,
    id,
    times: id === null ? 1 : timesOf(seen, id),
    path,
    contentType: request.headers['content-type'] ?? '',
    content: body.toString('utf8'),
    ...verdicts,
    answered,
  });
}

function answer(response: ServerResponse, status: number): void {
  // What is left of a body that nobody reads must not keep the connection.
  const headers = { 'content-type': 'text/plain; charset=utf-8', connection: 'close' };
  response.writeHead(status, headers).end(status === 200 ? 'received\n' : undefined);
}

function bodyOf(request: IncomingMessage): Promise<Buffer | 'too long' | 'broken off'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length <= MAX_BODY) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve('too long');
    });
    request.on('end', () => resolve(Buffer.concat(chunks)));
    for (const broken of ['error', 'close']) request.on(broken, () => resolve('broken off'));
  });
}

function verdictsOf(request: IncomingMessage, body: Buffer, secrets: readonly string[], now: number) {
  if (secrets.length === 0) return { signature: 'unchecked', standardSignature: 'unchecked' } as const;
  const check = { body, secrets, now, toleranceS: TOLERANCE_S };
  const own = textOf(request.headers[SIGNATURE_HEADER]) ?? undefined;
  return {
    signature: checkSignature(own, check).result,
    standardSignature: checkStandardSignature(request.headers, check).result,
  };
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null;
}

function timesOf(seen: Map<string, number>, id: string): number {
  const times = (seen.get(id) ?? 0) + 1;
  if (seen.size >= MAX_REMEMBERED) seen.clear();
  seen.set(id, times);
  return times;
}

/** JSON form of a notification, for pipes. */
export function receivedJson(received: ReceivedNotification) {
  const { at, id, times, path, contentType, content, signature, standardSignature, answered } = received;
  return {
    at: dhakaIso(at),
    id,
    times,
    path,
    content_type: contentType,
    content,
    signature,
    standard_signature: standardSignature,
    answered,
  };
}

const VERDICT_WORDS: Readonly<Record<SignatureVerdict, string>> = {
  valid: 'valid',
  unchecked: 'not checked, for want of a secret',
  no_header: 'MISSING',
  malformed: 'NOT WHOLE',
  too_old: 'right, but TOO OLD',
  in_the_future: 'right, but FROM THE FUTURE: a clock is wrong',
  wrong: 'WRONG: another secret, or a changed body',
};

export function receivedLines(received: ReceivedNotification): string[] {
  const { signature, standardSignature, times } = received;
  const fields = fieldsOf(received);
  const event = fields?.find(([name]) => name === 'event')?.[1] ?? 'something else';
  const again = times === 1 ? '' : `, for the ${ordinal(times)} time: the shop must not count it again`;
  const verdict =
    signature === standardSignature
      ? VERDICT_WORDS[signature]
      : `${VERDICT_WORDS[signature]}; of Standard Webhooks: ${VERDICT_WORDS[standardSignature]}`;
  return [
    visible(`${dhakaText(received.at)}  ${event}${again}`),
    ...formatKeyValues([
      ['  webhook-id', received.id ?? 'none'],
      ['  signature', verdict],
      ['  answered', String(received.answered)],
      ...(fields ?? [['body', received.content] as const]).map(
        ([name, value]) => [`  ${visible(name)}`, value] as const,
      ),
    ]),
    '',
  ];
}

function ordinal(count: number): string {
  const ends = ['th', 'st', 'nd', 'rd'];
  const teens = count % 100 > 10 && count % 100 < 14;
  return `${count}${(teens ? undefined : ends[count % 10]) ?? 'th'}`;
}

/** The fields of a JSON object or a form, in their order; null for any other body. */
function fieldsOf({ contentType, content }: ReceivedNotification): [string, string][] | null {
  if (contentType.includes('form')) return [...new URLSearchParams(content)];
  try {
    const parsed: unknown = JSON.parse(content);
    if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) return null;
    return Object.entries(parsed).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : JSON.stringify(value),
    ]);
  } catch {
    return null;
  }
}

interface Tally {
  readonly received: number;
  /** Number of received notifications with a known `webhook-id`. */
  readonly repeats: number;
  /** Number of received notifications whose signature was checked and is not valid. */
  readonly wrong: number;
  /** Requests that were no notification. */
  readonly refused: number;
}

export const NOTHING: Tally = { received: 0, repeats: 0, wrong: 0, refused: 0 };

export function counted(tally: Tally, received: ReceivedNotification): Tally {
  return {
    ...tally,
    received: tally.received + 1,
    repeats: tally.repeats + (received.times > 1 ? 1 : 0),
    wrong: tally.wrong + (isWrong(received) ? 1 : 0),
  };
}

export function formatTally({ received, repeats, wrong, refused }: Tally): string {
  const parts = [
    `${received} received`,
    ...(repeats === 0 ? [] : [`${repeats} of them again`]),
    ...(wrong === 0 ? [] : [`${wrong} with a wrong signature`]),
    ...(refused === 0
      ? []
      : [refused === 1 ? '1 other request refused' : `${refused} other requests refused`]),
  ];
  return `${parts.join(', ')}.`;
}
