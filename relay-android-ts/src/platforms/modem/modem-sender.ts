/** Sends SMS through the modem of their SIM, one at a time, and follows the network's delivery reports. */

import { reasonOf } from '../../core/errors.js';
import type { Clock, Dispatch, Log, Sender, SendOutcome } from '../../core/ports.js';
import type { DeliveryReport, HandedOver, Handover, Modem } from './modem.js';
import type { SentBook } from './sent-book.js';

const NUMBER = /^\+?[0-9*#]{3,20}$/;
/** A report may come before the modem has answered for the SMS. */
const EARLY_REPORT_MS = 120_000;
const MAX_EARLY = 500;
/** Ten parts, of which each may wait for the network for 90 s, and as long for the modem. */
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
  /** What came before anybody listened. */
  private unheard: Unheard[] = [];
  /** Each sends one SMS at a time. */
  private readonly busy = new Set<Modem>();
  /** What was sent and what is reported is looked at one after the other. */
  private bookTurn: Promise<void> = Promise.resolve();
  private early: Early[] = [];

  constructor(
    private readonly modems: readonly Modem[],
    private readonly book: SentBook,
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

  /** Of an SMS that was handed over before. Never rejects. */
  async handedOver({ slot }: Modem, id: string, handover: Handover, about: HandedOver): Promise<void> {
    try {
      await this.inTurn(async () => {
        await this.record({ id, slot, ...about }, handover);
        await this.late(id, outcomeOf(handover));
      });
    } catch (error) {
      this.log.warn('what came of an SMS was not kept', { id, reason: reasonOf(error) });
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

  /** Where no SIM is named, one that can send now. */
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
    sms: HandedOver & { readonly id: string; readonly slot: number },
    handover: Handover,
  ): Promise<void> {
    if (handover.kind === 'sent') await this.book.add({ ...sms, references: handover.references });
  }

  private async matchEarly(): Promise<void> {
    const waiting = this.early;
    this.early = [];
    for (const one of waiting) if (!(await this.match(one.slot, one.report))) this.early.push(one);
  }

  /**
   * The result is kept before the part: killed in between, the report is told again. An SMS that the network
   * could not deliver was sent all the same, and stays so.
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

function outcomeOf(handover: Handover): SendOutcome {
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
