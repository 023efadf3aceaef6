/**
 * One call of Telegram's Bot API. Its address holds the token, so no result repeats anything of it; what goes
 * wrong has a name, because each is waited for otherwise.
 */
import { describeNetFailure } from '../base/io/net-failure.js';
import { exchange } from './exchange.js';
import { judge, resolveWithDns, resolveWithSystem } from './guard.js';
import { answerText } from './outcome.js';

export interface Bot {
  /** Origin of the Bot API. */
  readonly api: string;
  readonly token: string;
  readonly allowPrivate: boolean;
}

export interface BotCall {
  readonly method: 'getUpdates' | 'answerCallbackQuery' | 'editMessageText' | 'sendMessage';
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly deadlineMs: number;
  /** Ends it before its time. */
  readonly signal: AbortSignal;
}

export type BotFault =
  /** The token is no longer valid. */
  | 'unauthorised'
  /** Somebody else reads the updates of this bot, or has set a webhook for it. */
  | 'conflict'
  /** Too many calls: to be left alone for a while. */
  | 'flood'
  | 'failed';

export type BotAnswer =
  | { readonly ok: true; readonly result: unknown }
  | {
      readonly ok: false;
      readonly fault: BotFault;
      /** Fit for logs. */
      readonly detail: string;
      /** Seconds, or null. */
      readonly retryAfterS: number | null;
    };

/** Maximum size of a response in bytes; a hundred long messages are less. */
const MAX_BYTES = 1_048_576;
const MAX_SAID = 200;

const failed = (detail: string): BotAnswer => ({ ok: false, fault: 'failed', detail, retryAfterS: null });

/** Calls the Bot API. Never rejects because of the server. */
export async function callBot(bot: Bot, call: BotCall): Promise<BotAnswer> {
  const ending = new AbortController();
  const end = () => ending.abort();
  const timer = setTimeout(end, call.deadlineMs);
  call.signal.addEventListener('abort', end, { once: true });
  if (call.signal.aborted) end();
  try {
    return await sendRequest(bot, call, ending.signal);
  } finally {
    clearTimeout(timer);
    call.signal.removeEventListener('abort', end);
  }
}

async function sendRequest(bot: Bot, call: BotCall, signal: AbortSignal): Promise<BotAnswer> {
  const { api, token, allowPrivate } = bot;
  const { deadlineMs } = call;
  const resolve = allowPrivate ? resolveWithSystem : resolveWithDns;
  const url = `${api}/bot${token}/${call.method}`;
  const judgement = await judge({ url, allowPrivate, resolve, signal, deadlineMs });
  if ('refusal' in judgement) return failed(judgement.refusal.detail);
  const { status, bytes, isCut, failure } = await exchange({
    ...judgement,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify(call.parameters)),
    signal,
    maxBytes: MAX_BYTES,
  });
  if (signal.aborted) return failed('no whole answer in time');
  if (isCut) return failed(`answered with more than ${MAX_BYTES} bytes`);
  if (status === null || failure !== null) return failed(describeNetFailure(failure).detail);
  return parseResponse(status, bytes, token);
}

const FAULTS: Readonly<Record<number, BotFault>> = {
  401: 'unauthorised',
  404: 'unauthorised',
  409: 'conflict',
  429: 'flood',
};

interface BotResponse {
  readonly ok?: unknown;
  readonly result?: unknown;
  readonly description?: unknown;
  readonly parameters?: { readonly retry_after?: unknown };
}

function parseResponse(status: number, bytes: Buffer, token: string): BotAnswer {
  const said = jsonOf(bytes);
  if (status === 200 && said?.ok === true) return { ok: true, result: said.result };
  const description = typeof said?.description === 'string' ? said.description : '';
  // Whatever stands there: an answer that repeats the address would bring the token into the log.
  const shown = answerText(Buffer.from(description.replaceAll(token, '…').slice(0, MAX_SAID)));
  const wait = said?.parameters?.retry_after;
  return {
    ok: false,
    fault: FAULTS[status] ?? 'failed',
    detail: `answered ${status}${shown === null ? '' : `: ${shown}`}`,
    retryAfterS: Number.isSafeInteger(wait) ? Number(wait) : null,
  };
}

function jsonOf(bytes: Buffer): BotResponse | null {
  try {
    const said: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof said === 'object' ? (said as BotResponse | null) : null;
  } catch {
    return null;
  }
}
