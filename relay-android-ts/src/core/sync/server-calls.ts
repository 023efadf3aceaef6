/** The calls that the agent makes to the daemon: paths and headers, not what follows from answers. */
import type { Http, HttpReply, StreamEnd } from '../ports.js';

export const REQUEST_DEADLINE_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;
const PAIR_PATH = '/api/v2/relay/pair';
const SYNC_PATH = '/api/v2/relay/sync';
const EVENTS_PATH = '/api/v2/relay/events';
/** The server says something every 15 s; after three times that nobody is there. */
const SILENT_MS = 45_000;

/** A paired server. `renew` alone changes its key. */
export interface Line {
  /** Part of every message id. */
  readonly deviceId: string;
  /** `patienceMs` is how long the server was asked to wait before it answers. */
  sync(body: string, stop: AbortSignal, patienceMs: number): Promise<HttpReply>;
  /** Under the key that `sync` uses. */
  seal(text: string): string;
  /** The server's event stream, as text, over a connection of its own. */
  events(onText: (text: string) => void, stop: AbortSignal): Promise<StreamEnd>;
  /** Looks whether the phone has been paired anew, and if so uses that from now on. */
  renew(): Promise<void>;
}

const JSON_HEADERS = { 'content-type': 'application/json', accept: 'application/json' };
const LIMITS = { deadlineMs: REQUEST_DEADLINE_MS, maxAnswerBytes: MAX_ANSWER_BYTES };

export function postSync(
  http: Http,
  deviceKey: string,
  body: string,
  stop: AbortSignal,
  patienceMs: number,
): Promise<HttpReply> {
  const headers = { ...JSON_HEADERS, 'device-key': deviceKey };
  const deadlineMs = REQUEST_DEADLINE_MS + patienceMs;
  return http.post({ ...LIMITS, path: SYNC_PATH, headers, body, deadlineMs }, stop);
}

export function postPair(http: Http, body: string): Promise<HttpReply> {
  return http.post({ ...LIMITS, path: PAIR_PATH, headers: JSON_HEADERS, body }, new AbortController().signal);
}

export function streamEvents(
  http: Http,
  deviceKey: string,
  onText: (text: string) => void,
  stop: AbortSignal,
): Promise<StreamEnd> {
  const headers = { accept: 'text/event-stream', 'device-key': deviceKey };
  return http.stream({ path: EVENTS_PATH, headers, silentMs: SILENT_MS }, onText, stop);
}
