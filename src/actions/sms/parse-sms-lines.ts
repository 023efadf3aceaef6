/**
 * Parses SMS as lines of JSON and writes the results as lines of JSON: the pipe of `sms parse --ndjson`. It
 * needs no core, remembers only which transactions the stream contained, and continues after an invalid line.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { parseJson } from '../../base/values/fields.js';
import {
  parseSms,
  type SmsEngine,
  type SmsReading,
  type SmsText,
  StreamMemory,
  valueTexts,
} from '../../channels/mfs/index.js';
import { parseInstant } from '../../domain/sms/incoming-sms.js';

/** A reading in the words of the command line; amounts are decimal texts with two decimals. */
export type SmsAnswer = ReturnType<typeof toAnswer>;

export function toAnswer(reading: SmsReading) {
  const { channel, kind, credit, settle } = reading;
  return { channel, kind, credit, settle, ...valueTexts(reading) };
}

interface AnsweredLine {
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
    const read = parseLine(bare);
    if (!read.ok) return { line: refusal(read.id, read.why), ok: false };
    const reading = this.#memory.judge(read.sms, parseSms(this.#engine, read.sms));
    const { reasons, format } = reading;
    return { line: JSON.stringify({ id: read.id, ...toAnswer(reading), reasons, format }), ok: true };
  }
}

/** Error line for an input line that is not an SMS. */
export function refusal(id: Id, why: string): string {
  const { code, message, hint } = new KashboxError('invalid_input', {
    message: why,
    hint: 'Use one JSON object per line: {"id":"1","sender":"bKash","body":"…","received_at":"2026-08-21T12:35:11+06:00"}',
  });
  return JSON.stringify({ id, error: { code, message, hint } });
}

function parseLine(text: string): ReadLine {
  const json = parseJson(text);
  if (json === undefined) return { ok: false, id: null, why: 'The line is not JSON' };
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    return { ok: false, id: null, why: 'The line is not a JSON object' };
  }
  const fields = json as Readonly<Record<string, unknown>>;
  const id = typeof fields.id === 'string' || typeof fields.id === 'number' ? fields.id : null;
  const { sender, body, received_at } = fields;
  if (typeof sender !== 'string') return { ok: false, id, why: '"sender" must be a text' };
  if (typeof body !== 'string') return { ok: false, id, why: '"body" must be a text' };
  // A pipe has no phone to ask again: a time that cannot be read is one that nobody knows.
  const receivedAtMs = parseInstant(received_at);
  return { ok: true, id, sms: { sender, body, receivedAtMs } };
}
