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
  /** Empty where an earlier run sent it, and only its id is known. */
  number: isText,
  /** One for each part. */
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
  /** In the order in which they were sent. */
  readonly sent = new Map<string, { readonly sms: Sent; readonly missing: Set<number> }>();
  readonly parse = knownBy(isRecord);

  apply(record: SentRecord): void {
    if (record.t === 'sent') {
      for (const [id, { sms }] of this.sent) if (sms.at < record.at - KEPT_MS) this.sent.delete(id);
      this.sent.set(record.id, { sms: record, missing: new Set(record.references) });
      return;
    }
    const known = this.sent.get(record.id);
    known?.missing.delete(record.reference);
    if (known?.missing.size === 0) this.sent.delete(record.id);
  }

  snapshot(): SentRecord[] {
    return [...this.sent.values()].map(({ sms, missing }) => ({ ...sms, references: [...missing] }));
  }
}

export class SentBook extends Journaled<SentRecord, SentState> {
  static async open(file: DurableFile): Promise<SentBook> {
    return new SentBook(await Journal.open(file, new SentState()));
  }

  /** Resolves when it is on the disk, or cannot be: then reports are matched until the agent ends. */
  async add(sms: Omit<Sent, 't'>): Promise<void> {
    if (sms.references.length > 0) await this.keep({ t: 'sent', ...sms });
  }

  /**
   * The SMS that a report is about, the newest where there are several: its dispatch, and whether all its
   * parts are delivered now. Undefined where none is known.
   */
  async note(slot: number, report: DeliveryReport): Promise<{ id: string; isWhole: boolean } | undefined> {
    const { reference, number, state } = report;
    const found = [...this.state.sent.values()].findLast(
      ({ sms, missing }) => sms.slot === slot && missing.has(reference) && isSame(sms.number, number),
    );
    if (found === undefined) return undefined;
    const { id } = found.sms;
    if (state === 'delivered') await this.keep({ t: 'delivered', id, reference });
    return { id, isWhole: state === 'delivered' && !this.state.sent.has(id) };
  }
}

function isSame(sent: string, reported: string): boolean {
  const tail = (number: string) => number.replace(/\D/g, '').slice(-TAIL_DIGITS);
  return tail(sent) === '' || tail(reported) === '' || tail(sent) === tail(reported);
}
