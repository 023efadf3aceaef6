/** Sends SMS through the modem of their SIM, one at a time, and follows the network's delivery reports. */
import { errorMessage } from '../../core/errors.js';
import { Journal, JournaledStore, type JournalState } from '../../core/journal/journal.js';
import type { Clock, Dispatch, DurableFile, Log, Sender, SendOutcome } from '../../core/ports.js';
import {
  arrayOf,
  createParser,
  either,
  type Infer,
  isNumber,
  isText,
  oneOf,
  shape,
} from '../../core/shape.js';
import type { DeliveryReport, Modem, SendDetails, SendResult } from './modem.js';

const NUMBER = /^\+?[0-9*#]{3,20}$/;
/** A report may come before the modem has answered for the SMS. */
const EARLY_REPORT_MS = 120_000;
const MAX_EARLY = 500;
/** Maximum time until a result: ten parts wait up to 90 s each, plus up to 300 s until gammu begins. */
const OUTCOME_MS = 1_200_000;

interface Early {
  readonly slot: number;
  readonly report: DeliveryReport;
  readonly at: number;
}

interface Unheard {
  readonly id: string;
  readonly outcome: SendOutcome;
  readonly resolve: () => void;
  readonly reject: (why: Error) => void;
}

export class ModemSender implements Sender {
  /** A modem sends as fast as its network lets it; the server keeps its own limit. */
  readonly partsPerMinute = Number.MAX_SAFE_INTEGER;
  readonly outcomeMs = OUTCOME_MS;
  private listener: ((id: string, outcome: SendOutcome) => Promise<void>) | null = null;
  /** Results that arrived before a listener was registered. */
  private unheard: Unheard[] = [];
  /** Each sends one SMS at a time. */
  private readonly busy = new Set<Modem>();
  /** Serialises the processing of send results and delivery reports. */
  private bookTurn: Promise<void> = Promise.resolve();
  private early: Early[] = [];

  constructor(
    private readonly modems: readonly Modem[],
    private readonly book: SentLog,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onLateResult(late: (id: string, outcome: SendOutcome) => Promise<void>): void {
    this.listener = late;
    for (const { id, outcome, resolve, reject } of this.unheard.splice(0))
      void late(id, outcome).then(resolve, reject);
  }

  /** An SMS for a SIM that no modem has can fail at once. */
  canSend(simSlot: number | null): boolean {
    const modem = this.modemFor(simSlot);
    return modem === undefined || this.isFree(modem);
  }

  async send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void> {
    const modem = this.modemFor(dispatch.simSlot);
    const fault = faultOf(dispatch);
    if (fault !== null) return tell({ state: 'FAILED', error: fault });
    if (modem === undefined) return tell({ state: 'FAILED', error: `no modem has SIM ${dispatch.simSlot}` });
    this.busy.add(modem);
    try {
      await this.sendBy(modem, dispatch, tell);
    } finally {
      this.busy.delete(modem);
    }
  }

  /** Processes the result of an SMS that was passed to the modem earlier. Never rejects. */
  async handedOver({ slot }: Modem, id: string, handover: SendResult, about: SendDetails): Promise<void> {
    try {
      await this.inTurn(async () => {
        await this.record({ id, slot, ...about }, handover);
        await this.late(id, outcomeOf(handover));
      });
    } catch (error) {
      this.log.warn('what came of an SMS was not kept', { id, reason: errorMessage(error) });
    }
  }

  /** Resolves when what it says is kept. */
  reported({ slot }: Modem, report: DeliveryReport): Promise<void> {
    return this.inTurn(async () => {
      if (await this.match(slot, report)) return;
      const at = this.clock.now();
      this.early = [...this.early.filter((one) => at - one.at < EARLY_REPORT_MS), { slot, report, at }];
      this.early = this.early.slice(-MAX_EARLY);
    });
  }

  close(): void {
    for (const { reject } of this.unheard.splice(0)) reject(new Error('the agent ends'));
  }

  private inTurn(step: () => Promise<void>): Promise<void> {
    const turn = this.bookTurn.then(step);
    this.bookTurn = turn.catch(() => {});
    return turn;
  }

  private late(id: string, outcome: SendOutcome): Promise<void> {
    if (this.listener !== null) return this.listener(id, outcome);
    return new Promise((resolve, reject) => {
      this.unheard.push({ id, outcome, resolve, reject });
    });
  }

  private isFree(modem: Modem): boolean {
    return modem.isReady && !this.busy.has(modem);
  }

  /** @returns the slot's modem, undefined if none; without a slot, preferably one that can send now */
  private modemFor(simSlot: number | null): Modem | undefined {
    if (simSlot !== null) return this.modems.find(({ slot }) => slot === simSlot);
    return this.modems.find((modem) => this.isFree(modem)) ?? this.modems[0];
  }

  private async sendBy(
    modem: Modem,
    { id, number, message: text }: Dispatch,
    tell: (outcome: SendOutcome) => void,
  ): Promise<void> {
    const handover = await modem.send({ id, number, text });
    await this.inTurn(async () => {
      await this.record({ id, slot: modem.slot, number, at: this.clock.now() }, handover);
      tell(outcomeOf(handover));
      await this.matchEarly();
    });
  }

  private async record(
    sms: SendDetails & { readonly id: string; readonly slot: number },
    handover: SendResult,
  ): Promise<void> {
    if (handover.kind === 'sent') await this.book.add({ ...sms, references: handover.references });
  }

  private async matchEarly(): Promise<void> {
    const waiting = this.early;
    this.early = [];
    for (const one of waiting) if (!(await this.match(one.slot, one.report))) this.early.push(one);
  }

  /**
   * Matches a report to a sent SMS; false if none matches. The result is stored before the part: after a
   * crash, the report is delivered again. An undelivered SMS keeps its status, because it was sent.
   */
  private async match(slot: number, report: DeliveryReport): Promise<boolean> {
    const found = this.book.find(slot, report);
    if (found === undefined) return false;
    const { id, isLast } = found;
    if (report.state === 'failed') this.log.warn('the network could not deliver an SMS', { id });
    if (report.state !== 'delivered') return true;
    if (isLast) await this.late(id, { state: 'DELIVERED' });
    await this.book.delivered(id, report.reference);
    return true;
  }
}

function faultOf({ number, message }: Dispatch): string | null {
  if (!NUMBER.test(number)) return 'this is no number that a modem can send to';
  return message === '' ? 'there is no text' : null;
}

function outcomeOf(handover: SendResult): SendOutcome {
  switch (handover.kind) {
    case 'sent':
      return { state: 'SENT' };
    case 'refused':
      return { state: 'FAILED', error: handover.error };
    case 'unknown':
      return { state: 'UNKNOWN', error: handover.error };
    default:
      return handover satisfies never;
  }
}

const isSent = shape({
  t: oneOf('sent'),
  /** Id of the dispatch. */
  id: isText,
  slot: isNumber,
  /** Empty where it is not known. */
  number: isText,
  /** One for each part that is not delivered; in the first record of an SMS one for each part. */
  references: arrayOf(isNumber),
  /** Milliseconds since the Unix epoch. */
  at: isNumber,
});
type SentSms = Infer<typeof isSent>;
const isDelivered = shape({ t: oneOf('delivered'), id: isText, reference: isNumber });
const isRecord = either(isSent, isDelivered);
type SentRecord = Infer<typeof isRecord>;

/** The network gives an SMS up after some days (validity period), and references come round again. */
const KEPT_MS = 7 * 86_400_000;
/** Numbers are compared by their last digits, because the country code may be missing. */
const TAIL_DIGITS = 8;

class SentState implements JournalState<SentRecord> {
  /** Sent SMS in order; includes delivered ones, because they may be reported again. */
  readonly sent = new Map<string, { readonly sms: SentSms; readonly missing: Set<number> }>();
  readonly parse = createParser(isRecord);

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

/**
 * Log of sent SMS, used to match the network's delivery reports. A report contains only a reference from 0 to
 * 255 and a number, and may arrive days later, so sent SMS are stored on disk.
 */
export class SentLog extends JournaledStore<SentRecord, SentState> {
  static async open(file: DurableFile): Promise<SentLog> {
    return new SentLog(await Journal.open(file, new SentState()));
  }

  /**
   * Adds an SMS; a known one is not changed. Resolves when it is on disk or cannot be written: in that case
   * reports are matched until the agent ends.
   */
  async add(sms: Omit<SentSms, 't'>): Promise<void> {
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
