/**
 * SMS as lines of JSON in, readings as lines of JSON out: the pipe of `sms parse --ndjson`. It needs no core,
 * remembers only which transactions the stream has told of, and never lets one bad line stop the others.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { formatTaka, type Paisa } from '../../base/values/money.js';
import {
  readSms,
  type SmsEngine,
  type SmsReading,
  type SmsText,
  StreamMemory,
} from '../../channels/mfs/index.js';
import { readInstant } from '../../domain/sms/incoming-sms.js';

/** A reading in the words of the command line; amounts are decimal texts with two decimals. */
export interface SmsAnswer {
  readonly channel: SmsReading['channel'];
  readonly kind: SmsReading['kind'];
  readonly credit: boolean;
  readonly settle: SmsReading['settle'];
  readonly amount: string | null;
  readonly from: string | null;
  readonly fee: string | null;
  readonly balance: string | null;
  readonly trx_id: string | null;
  readonly at: string | null;
}

export function answerOf(reading: SmsReading): SmsAnswer {
  return {
    channel: reading.channel,
    kind: reading.kind,
    credit: reading.credit,
    settle: reading.settle,
    amount: taka(reading.amountPaisa),
    from: reading.from,
    fee: taka(reading.feePaisa),
    balance: taka(reading.balancePaisa),
    trx_id: reading.trxId,
    at: reading.at,
  };
}

function taka(paisa: Paisa | null): string | null {
  return paisa === null ? null : formatTaka(paisa);
}

export interface AnsweredLine {
  /** One line of JSON without its end; null for an empty line, which has no answer. */
  readonly line: string | null;
  /** False: the line was no SMS, and its answer says why. */
  readonly ok: boolean;
}

type Id = string | number | null;
type ReadLine =
  | { readonly ok: true; readonly id: Id; readonly sms: SmsText }
  | { readonly ok: false; readonly id: Id; readonly why: string };

/** Answers the lines of one stream, in order; each needs the ones before it to know what came twice. */
export class SmsLines {
  readonly #memory = new StreamMemory();
  readonly #engine: SmsEngine;

  constructor(engine: SmsEngine) {
    this.#engine = engine;
  }

  /** @param text one line, without its end. */
  answer(text: string): AnsweredLine {
    const bare = text.replace(/^\ufeff/, '').trim();
    if (bare === '') return { line: null, ok: true };
    const read = readLine(bare);
    if (!read.ok) return { line: refusal(read.id, read.why), ok: false };
    const reading = this.#memory.judge(read.sms, readSms(this.#engine, read.sms));
    return { line: JSON.stringify({ id: read.id, ...answerOf(reading) }), ok: true };
  }
}

/** The answer that stands in the place of a line which is no SMS. */
export function refusal(id: Id, why: string): string {
  const { code, message, hint } = new KashboxError('invalid_input', {
    message: why,
    hint: 'Write one JSON object a line: {"id":"1","sender":"bKash","body":"…","received_at":"2026-08-21T12:35:11+06:00"}',
  });
  return JSON.stringify({ id, error: { code, message, hint } });
}

function readLine(text: string): ReadLine {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { ok: false, id: null, why: 'The line is not JSON' };
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { ok: false, id: null, why: 'The line is not a JSON object' };
  }
  const fields = json as Readonly<Record<string, unknown>>;
  const id = typeof fields.id === 'string' || typeof fields.id === 'number' ? fields.id : null;
  const { sender, body, received_at } = fields;
  if (typeof sender !== 'string') return { ok: false, id, why: '"sender" must be a text' };
  if (typeof body !== 'string') return { ok: false, id, why: '"body" must be a text' };
  // A pipe has no phone to ask again: a time that cannot be read is one that nobody knows.
  const receivedAtMs = readInstant(received_at);
  return { ok: true, id, sms: { sender, body, receivedAtMs } };
}
