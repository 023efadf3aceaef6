/** Sends SMS through the modem of their SIM, one at a time, and follows the network's delivery reports. */
import type { Clock, Dispatch, Log, Sender, SendOutcome } from '../../core/ports.js';
import type { DeliveryReport, Handover, Modem } from './modem.js';
import type { SentBook } from './sent-book.js';

const NUMBER = /^\+?[0-9*#]{3,20}$/;
/** A report may come before the modem has answered for the SMS. */
const EARLY_REPORT_MS = 120_000;
const MAX_EARLY = 500;

interface Early {
  readonly slot: number;
  readonly report: DeliveryReport;
  readonly at: number;
}

export class ModemSender implements Sender {
  /** A modem sends as fast as its network lets it; the server keeps its own limit. */
  readonly partsPerMinute = Number.MAX_SAFE_INTEGER;
  private listener: ((id: string, outcome: SendOutcome) => void) | null = null;
  /** What came before anybody listened. */
  private unheard: (readonly [id: string, outcome: SendOutcome])[] = [];
  private readonly turns = new Map<Modem, Promise<void>>();
  private early: Early[] = [];

  constructor(
    private readonly modems: readonly Modem[],
    private readonly book: SentBook,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  onLateResult(late: (id: string, outcome: SendOutcome) => void): void {
    this.listener = late;
    for (const [id, outcome] of this.unheard.splice(0)) late(id, outcome);
  }

  async send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void> {
    const modem = this.modemFor(dispatch.simSlot);
    const fault = faultOf(dispatch);
    if (fault !== null) return tell({ state: 'FAILED', error: fault });
    if (modem === undefined) return tell({ state: 'FAILED', error: `no modem has SIM ${dispatch.simSlot}` });
    const turn = (this.turns.get(modem) ?? Promise.resolve()).then(() => this.sendBy(modem, dispatch, tell));
    this.turns.set(
      modem,
      turn.catch(() => {}),
    );
    await turn;
  }

  /** Of an SMS that an earlier run handed over. */
  async handedOver({ slot }: Modem, id: string, handover: Handover): Promise<void> {
    await this.record({ id, slot, number: '' }, handover);
    this.late(id, outcomeOf(handover));
  }

  async reported({ slot }: Modem, report: DeliveryReport): Promise<void> {
    if (await this.match(slot, report)) return;
    const at = this.clock.now();
    this.early = [...this.early.filter((one) => at - one.at < EARLY_REPORT_MS), { slot, report, at }];
    this.early = this.early.slice(-MAX_EARLY);
  }

  close(): void {}

  private late(id: string, outcome: SendOutcome): void {
    if (this.listener === null) this.unheard.push([id, outcome]);
    else this.listener(id, outcome);
  }

  /** The first that there is where no SIM is named. */
  private modemFor(simSlot: number | null): Modem | undefined {
    return simSlot === null ? this.modems[0] : this.modems.find(({ slot }) => slot === simSlot);
  }

  private async sendBy(
    modem: Modem,
    { id, number, message: text, expiresAt }: Dispatch,
    tell: (outcome: SendOutcome) => void,
  ): Promise<void> {
    if (this.clock.now() >= expiresAt) {
      return tell({
        state: 'FAILED',
        error: 'its time was over before the modem was free; nothing was sent',
      });
    }
    const handover = await modem.send({ id, number, text });
    await this.record({ id, slot: modem.slot, number }, handover);
    tell(outcomeOf(handover));
    await this.matchEarly();
  }

  private async record(
    sms: { readonly id: string; readonly slot: number; readonly number: string },
    handover: Handover,
  ): Promise<void> {
    if (handover.kind !== 'sent') return;
    await this.book.add({ ...sms, references: handover.references, at: this.clock.now() });
  }

  private async matchEarly(): Promise<void> {
    const waiting = this.early;
    this.early = [];
    for (const one of waiting) if (!(await this.match(one.slot, one.report))) this.early.push(one);
  }

  private async match(slot: number, report: DeliveryReport): Promise<boolean> {
    const found = await this.book.note(slot, report);
    if (found === undefined) return false;
    const { id, isWhole } = found;
    if (isWhole) this.late(id, { state: 'DELIVERED' });
    if (report.state === 'failed') this.log.warn('the network could not deliver an SMS', { id });
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
