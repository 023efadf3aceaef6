/** The two calls that the agent makes to the daemon: paths and headers, not what follows from answers. */
import type { Http, HttpReply } from './ports.js';

export const REQUEST_DEADLINE_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const PAIR_PATH = '/api/v2/relay/pair';
const SYNC_PATH = '/api/v2/relay/sync';

/** A paired server. */
export interface Line {
  /** Part of every message id. */
  readonly deviceId: string;
  sync(body: string, stop: AbortSignal): Promise<HttpReply>;
  /** Looks whether the phone has been paired anew, and if so uses that from now on. */
  renew(): Promise<void>;
}

export function postSync(http: Http, deviceKey: string, body: string, stop: AbortSignal): Promise<HttpReply> {
  return post(http, SYNC_PATH, { 'device-key': deviceKey }, body, stop);
}

export function postPair(http: Http, body: string): Promise<HttpReply> {
  return post(http, PAIR_PATH, {}, body, new AbortController().signal);
}

function post(
  http: Http,
  path: string,
  headers: Record<string, string>,
  body: string,
  stop: AbortSignal,
): Promise<HttpReply> {
  const json = { 'content-type': 'application/json', accept: 'application/json' };
  return http.post(
    {
      path,
      headers: { ...json, ...headers },
      body,
      deadlineMs: REQUEST_DEADLINE_MS,
      maxAnswerBytes: MAX_ANSWER_BYTES,
    },
    stop,
  );
}
