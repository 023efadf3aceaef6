/** The shop's own server in the demo: asks the daemon over HTTPS, as any merchant's server does. */
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { KashboxError } from '../../base/errors.js';

export interface Daemon {
  /** `https://127.0.0.1:8443` */
  readonly url: string;
  /** PEM of its certificate, the only one that is trusted. */
  readonly certificate: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
  readonly ms: number;
}

const DEADLINE_MS = 10_000;

/** POSTs JSON. @throws KashboxError `daemon_unreachable` */
export async function post(
  daemon: Daemon,
  path: string,
  brandKey: string,
  body: object,
  signal: AbortSignal,
): Promise<Answer> {
  const started = performance.now();
  try {
    return await new Promise<Answer>((resolve, reject) => {
      const call = request(`${daemon.url}${path}`, {
        method: 'POST',
        ca: daemon.certificate,
        headers: { 'brand-key': brandKey, 'content-type': 'application/json', accept: 'application/json' },
        timeout: DEADLINE_MS,
        signal,
      });
      call.on('timeout', () => call.destroy(new Error(`no answer within ${DEADLINE_MS / 1000} s`)));
      call.on('error', reject);
      call.on('response', (response) => {
        json(response).then((value) => {
          const answered = value as Record<string, unknown>;
          resolve({ status: response.statusCode ?? 0, body: answered, ms: performance.now() - started });
        }, reject);
      });
      call.end(JSON.stringify(body));
    });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new KashboxError('daemon_unreachable', { message: `POST ${path} got no answer: ${why}`, cause });
  }
}
