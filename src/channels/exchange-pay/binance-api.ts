/**
 * Signed questions to the API of a personal account: by its clock, within its weights, and with a word for
 * each way in which it refuses. Knows nothing of payments.
 */
import { type Json, valueAt } from '../lossless.js';
import { badStatus, millisAt, readJsonAnswer, textAt } from './answer.js';
import { type DriverFailure, type DriverMeans, type Failed, failed } from './driver.js';
import { signQuery } from './sign.js';

const TIME_PATH = '/api/v3/time';
/** How old a request may be when it arrives there. */
const RECV_WINDOW_MS = 5_000;
/** What one lookup costs, and what all programs that use the account may cost together in a minute. */
const WEIGHT = 3_000;
const MAX_WEIGHT = 180_000;
const WEIGHT_HEADER = 'x-sapi-used-uid-weight-1m';

/** Written again for a repeat, because times in it are by the exchange's clock. */
type Params = (offsetMs: number) => string;

type ApiAnswer = { readonly outcome: 'read'; readonly json: Json } | Failed;

interface SignedApi {
  /**
   * @param params what stands before timestamp and signature, each with its `&`.
   * @returns the answer of a call that succeeded. A refused clock is set once, and the call repeated.
   */
  ask(path: string, params: Params, signal: AbortSignal): Promise<ApiAnswer>;
  clockOffsetMs(): number;
}

export function createSignedApi({ baseUrl, key, secret, now, call }: DriverMeans): SignedApi {
  let offsetMs = 0;
  let blockedUntil = 0;

  const askOnce = async (path: string, params: Params, signal: AbortSignal): Promise<ApiAnswer> => {
    const waitMs = blockedUntil - now();
    if (waitMs > 0) {
      const detail = 'the account has used up what the exchange allows in this minute';
      return failed({ kind: 'rate_limited', detail, retryAfterMs: waitMs });
    }
    const query = `${params(offsetMs)}recvWindow=${RECV_WINDOW_MS}&timestamp=${now() + offsetMs}`;
    const url = new URL(`${baseUrl}${path}?${query}&signature=${signQuery(secret, query)}`);
    const headers = { 'x-mbx-apikey': key };
    const answer = readJsonAnswer(await call({ method: 'GET', url, headers }, signal), now());
    if (answer.outcome === 'failed') return answer;
    const used = Number(answer.headers[WEIGHT_HEADER] ?? 0);
    if (used + WEIGHT > MAX_WEIGHT) blockedUntil = nextMinute(now() + offsetMs) - offsetMs;
    const failure = refusalOf(answer.status, answer.json);
    return failure === null ? { outcome: 'read', json: answer.json } : failed(failure);
  };

  const setClock = async (signal: AbortSignal): Promise<Failed | null> => {
    const before = now();
    const url = new URL(`${baseUrl}${TIME_PATH}`);
    const answer = readJsonAnswer(await call({ method: 'GET', url, headers: {} }, signal), now());
    if (answer.outcome === 'failed') return answer;
    const theirs = millisAt(answer.json, 'serverTime');
    if (theirs === null) return failed({ kind: 'malformed', detail: 'the answer tells no time' });
    offsetMs = theirs - Math.round((before + now()) / 2);
    return null;
  };

  return {
    ask: async (path, params, signal) => {
      const asked = await askOnce(path, params, signal);
      if (asked.outcome === 'read' || asked.failure.kind !== 'clock') return asked;
      return (await setClock(signal)) ?? askOnce(path, params, signal);
    },
    clockOffsetMs: () => offsetMs,
  };
}

function nextMinute(ms: number): number {
  return (Math.floor(ms / 60_000) + 1) * 60_000;
}

const AUTH_CODES: readonly (string | null)[] = ['-1002', '-1022', '-2008', '-2014', '-2015'];

/** @returns what an answer says against the call, null where it says nothing. Codes only, never its words. */
function refusalOf(status: number, json: Json): DriverFailure | null {
  const code = textAt(json, 'code');
  const detail = `HTTP ${status}, code ${/^-?\d{1,7}$/.test(code ?? '') ? code : 'unknown'}`;
  if (code === '-1021') return { kind: 'clock', detail };
  if (code === '-1003') return { kind: 'rate_limited', detail, retryAfterMs: 60_000 };
  if (AUTH_CODES.includes(code)) return { kind: 'auth', detail };
  if (code !== null && code !== '000000') return { kind: 'unavailable', cause: 'refused', detail };
  if (status === 401) return { kind: 'auth', detail: `HTTP ${status}` };
  if (status !== 200) return badStatus(status);
  return valueAt(json, ['success']) === false ? { kind: 'unavailable', cause: 'refused', detail } : null;
}
