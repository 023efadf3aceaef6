/** A modem in memory, whose storage and network the test plays. */
import type {
  DeliveryReport,
  Modem,
  ModemEvents,
  ModemSms,
  ModemState,
  OutgoingSms,
  SendDetails,
  SendResult,
} from '../../src/platforms/modem/modem.js';

export const WELL: ModemState = {
  problem: null,
  registration: 'home',
  sim: 'ready',
  signal: 70,
  temperature: null,
  number: null,
  model: 'Test 1.0',
};

export class FakeModem implements Modem {
  stored: ModemSms[] = [];
  state: ModemState = WELL;
  /** Thrown by the next calls of `list` and `remove`. */
  fault: Error | null = null;
  removeFault: Error | null = null;
  openFault: Error | null = null;
  /** Waited for by the next calls of `list`. */
  listHangs: Promise<void> = Promise.resolve();
  readonly sent: OutgoingSms[] = [];
  answer: (sms: OutgoingSms) => SendResult | Promise<SendResult> = (sms) => ({
    kind: 'sent',
    references: [this.sent.indexOf(sms)],
  });
  isOpen = false;
  isReady = true;
  private events: ModemEvents | null = null;

  constructor(readonly slot: number) {}

  /** An SMS arrives. */
  receive(place: string, text = `text ${place}`, more: Partial<ModemSms> = {}): void {
    const sentAt = '2026-01-31T10:00:00+06:00';
    const smsc = '+8801700000600';
    this.stored.push({ place, sender: 'bKash', senderType: 'alphanumeric', text, sentAt, smsc, ...more });
    this.events?.onSms();
  }

  async report(
    reference: number,
    number: string,
    state: DeliveryReport['state'] = 'delivered',
  ): Promise<void> {
    await this.events?.onReport({ reference, number, state });
  }

  handOver(id: string, handover: SendResult, about: SendDetails = { number: '', at: 0 }): void {
    this.events?.onHandedOver(id, handover, about);
  }

  async open(events: ModemEvents): Promise<void> {
    if (this.openFault !== null) throw this.openFault;
    this.events = events;
    this.isOpen = true;
  }

  async list(): Promise<readonly ModemSms[]> {
    await this.listHangs;
    if (this.fault !== null) throw this.fault;
    return [...this.stored];
  }

  async remove(places: readonly string[]): Promise<void> {
    if (this.removeFault !== null) throw this.removeFault;
    this.stored = this.stored.filter(({ place }) => !places.includes(place));
  }

  async send(sms: OutgoingSms): Promise<SendResult> {
    this.sent.push(sms);
    return this.answer(sms);
  }

  async readState(): Promise<ModemState> {
    return this.state;
  }

  async close(): Promise<void> {
    this.isOpen = false;
  }
}
