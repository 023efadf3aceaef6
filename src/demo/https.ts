/** One HTTPS request to a server of the demo, whose certificate is the only one trusted. Knows no payment. */
import type { IncomingHttpHeaders } from 'node:http';
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

export interface Reply {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  readonly ms: number;
}

const DEADLINE_MS = 10_000;

/** @throws KashboxError `daemon_unreachable` */
export async function call({ method, url, headers, body, certificate, signal }: Call): Promise<Reply> {
  const started = performance.now();
  try {
    return await new Promise<Reply>((resolve, reject) => {
      const options = { method, ca: certificate, headers, timeout: DEADLINE_MS, signal };
      const asked = request(url, options, (response) => {
        const { statusCode: status = 0, headers } = response;
        text(response).then(
          (text) => resolve({ status, headers, text, ms: performance.now() - started }),
          reject,
        );
      });
      asked.on('timeout', () => asked.destroy(new Error(`no answer within ${DEADLINE_MS / 1000} s`)));
      asked.on('error', reject);
      asked.end(body);
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    const { pathname } = new URL(url);
    throw new KashboxError('daemon_unreachable', {
      message: `${method} ${pathname} got no answer: ${why}`,
      cause,
    });
  }
}
