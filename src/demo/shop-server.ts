/** The shop's own server in the demo: asks the daemon over HTTPS, as any merchant's server does. */
import { KashboxError } from '../base/errors/errors.js';
import { call } from './https.js';
import type { Say } from './steps.js';
import { duration, shortJson } from './text.js';

export interface Daemon {
  /** `https://127.0.0.1:8443` */
  readonly url: string;
  /** PEM of its certificate, the only one that is trusted. */
  readonly certificate: string;
}

export interface Answer {
  readonly status: number;
  readonly body: Record<string, unknown>;
}

/** POSTs to the API and tells what was sent and answered. @throws KashboxError `daemon_unreachable` */
export interface ShopServer {
  postJson(path: string, body: object, say: Say): Promise<Answer>;
  postForm(path: string, fields: Readonly<Record<string, string>>, say: Say): Promise<Answer>;
}

export function shopServer(daemon: Daemon, brandKey: string, signal: AbortSignal): ShopServer {
  const post = async (path: string, type: string, body: string, shown: string, say: Say): Promise<Answer> => {
    say('>', `POST ${path}  ${shown}`);
    const { status, text, ms } = await call({
      method: 'POST',
      url: `${daemon.url}${path}`,
      headers: { 'brand-key': brandKey, 'content-type': type, accept: 'application/json' },
      body,
      certificate: daemon.certificate,
      signal,
    });
    const answered = parseObject(text);
    say('<', `${status}  ${shortJson(answered)}  (${duration(ms)})`);
    return { status, body: answered };
  };
  return {
    postJson: (path, body, say) => post(path, 'application/json', JSON.stringify(body), shortJson(body), say),
    postForm: (path, fields, say) => {
      const shown = Object.entries(fields).map(([name, value]) => `${name}=${value}`);
      const body = new URLSearchParams(fields).toString();
      return post(path, 'application/x-www-form-urlencoded', body, shown.join(' & '), say);
    },
  };
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch (cause) {
    throw new KashboxError('internal', {
      message: `The daemon answered no JSON: ${text.slice(0, 80)}`,
      cause,
    });
  }
}
