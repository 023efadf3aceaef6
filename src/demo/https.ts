/** One HTTPS request to a server of the demo, whose certificate is the only one trusted. Knows no payment. */
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';
import { KashboxError } from '../base/errors/errors.js';

export interface Call {
  readonly method: 'GET' | 'POST';
  /** In full. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** PEM of the certificate. */
  readonly certificate: string;
  readonly signal: AbortSignal;
}

export type Reply = Awaited<ReturnType<typeof call>>;

const DEADLINE_MS = 10_000;

/** @throws KashboxError `daemon_unreachable` */
export async function call({ method, url, headers, body, certificate, signal }: Call) {
  const started = performance.now();
  try {
    const asked = request(url, { method, ca: certificate, headers, timeout: DEADLINE_MS, signal });
    asked.on('timeout', () => asked.destroy(new Error(`no answer within ${DEADLINE_MS / 1000} s`)));
    // Told by `once` and by the reading; without this one a late error would end the program.
    asked.on('error', () => {});
    const [response] = (await once(asked.end(body), 'response')) as [IncomingMessage];
    const answer = {
      status: response.statusCode ?? 0,
      headers: response.headers,
      text: await text(response),
    };
    return { ...answer, ms: performance.now() - started };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const { pathname } = new URL(url);
    const message = `${method} ${pathname} got no answer: ${why}`;
    throw new KashboxError('daemon_unreachable', { message, cause });
  }
}
