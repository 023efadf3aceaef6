/**
 * Remembers the transactions that one stream of SMS has reported, so that a text that is delivered twice
 * counts once. Used for a pipe without a store; in a store, a unique index does this.
 */
import type { SmsText } from '../../domain/sms/incoming-sms.js';
import { normalise } from './normalise.js';
import type { SmsReading } from './types.js';

/** A phone shows some hundred thousand texts in its life; a stream longer than that forgets its oldest. */
const REMEMBERED = 200_000;

export class StreamMemory {
  /** Sender and text that first reported each transaction. */
  readonly #texts = new Map<string, string>();

  /**
   * Judges a reading against what came before, and remembers it. The same text again is `never`; another
   * text under a known id is at most `review`. Outgoing texts share ids honestly and stay as they are.
   */
  judge(sms: SmsText, reading: SmsReading): SmsReading {
    if (reading.trxId === null || reading.channel === null) return reading;
    const key = `${reading.channel} ${reading.trxId}`;
    const text = `${sms.sender}\n${normalise(sms.body).text}`;
    const before = this.#texts.get(key);
    if (before === undefined) {
      this.#remember(key, text);
      return reading;
    }
    if (!reading.credit || reading.settle === 'never') return reading;
    if (before === text) return { ...reading, settle: 'never', reasons: ['delivered_again'] };
    if (reading.settle === 'review') return { ...reading, reasons: [...reading.reasons, 'id_seen_before'] };
    return { ...reading, settle: 'review', reasons: ['id_seen_before'] };
  }

  #remember(key: string, text: string): void {
    this.#texts.set(key, text);
    if (this.#texts.size <= REMEMBERED) return;
    const oldest = this.#texts.keys().next();
    if (oldest.done !== true) this.#texts.delete(oldest.value);
  }
}
