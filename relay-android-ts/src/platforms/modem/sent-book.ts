/**
 * Which SMS the network's delivery reports are about. A report names only a reference from 0 to 255 and a
 * number, and may come days later, so what was sent is kept on the disk.
 */
import { Journal, type JournalState } from '../../core/journal/journal.js';
import { Journaled } from '../../core/journal/journaled.js';
import type { DurableFile } from '../../core/ports.js';
import { type Checked, either, isNumber, isText, knownBy, listOf, oneOf, shape } from '../../core/shape.js';
import type { DeliveryReport } from './modem.js';

const isSent = shape({
  t: oneOf('sent'),
  /** Of the dispatch. */
  id: isText,
  slot: isNumber,
  /** Empty where it is not known. */
  number: isText,
  /** One for each part that is not delivered; in the first record of an SMS one for each part. */
  references: listOf(isNumber),
  /** Milliseconds since the Unix epoch. */
  at: isNumber,
});
type Sent = Checked<typeof isSent>;
const isDelivered = shape({ t: oneOf('delivered'), id: isText, reference: isNumber });
const isRecord = either(isSent, isDelivered);
type SentRecord = Checked<typeof isRecord>;

/** The network gives an SMS up after some days (validity period), and references come round again. */
const KEPT_MS = 7 * 86_400_000;
/** Numbers are compared by their last digits, because the country code may be missing. */
const TAIL_DIGITS = 8;

class SentState implements JournalState<SentRecord> {
  /** In the order in which they were sent; those that are delivered too, since they may be told of again. */
  readonly sent = new Map<string, { readonly sms: Sent; readonly missing: Set<number> }>();
  readonly parse = knownBy(isRecord);

  apply(record: SentRecord): void {
    if (record.t === 'sent') {
      for (const [id, { sms }] of this.sent) if (sms.at < record.at - KEPT_MS) this.sent.delete(id);
      if (!this.sent.has(record.id))
        this.sent.set(record.id, { sms: record, missing: new Set(record.references) });
      return;
    }
    this.sent.get(record.id)?.missing.delete(record.reference);
  }

  snapshot(): SentRecord[] {
    return [...this.sent.values()].map(({ sms, missing }) => ({ ...sms, references: [...missing] }));
  }
}

export class SentBook extends Journaled<SentRecord, SentState> {
  static async open(file: DurableFile): Promise<SentBook> {
    return new SentBook(await Journal.open(file, new SentState()));
  }

  /**
   * Of an SMS that is known already nothing changes. Resolves when it is on the disk, or cannot be: then
   * reports are matched until the agent ends.
   */
  async add(sms: Omit<Sent, 't'>): Promise<void> {
    const isKnown = this.state.sent.has(sms.id);
    if (sms.references.length > 0 && !isKnown) await this.keep({ t: 'sent', ...sms });
  }

  /**
   * The SMS that a report is about, the newest where there are several: its dispatch, and whether no part but
   * this one is missing. Undefined where none is known.
   */
  find(slot: number, { reference, number }: DeliveryReport): { id: string; isLast: boolean } | undefined {
    const found = [...this.state.sent.values()]
      .filter(({ sms, missing }) => sms.slot === slot && missing.has(reference) && isSame(sms.number, number))
      .sort((one, other) => one.sms.at - other.sms.at)
      .at(-1);
    return found === undefined ? undefined : { id: found.sms.id, isLast: found.missing.size === 1 };
  }

  /** One part is delivered. Resolves as `add`. */
  async delivered(id: string, reference: number): Promise<void> {
    await this.keep({ t: 'delivered', id, reference });
  }
}

function isSame(sent: string, reported: string): boolean {
  const tail = (number: string) => number.replace(/\D/g, '').slice(-TAIL_DIGITS);
  return tail(sent) === '' || tail(reported) === '' || tail(sent) === tail(reported);
}
