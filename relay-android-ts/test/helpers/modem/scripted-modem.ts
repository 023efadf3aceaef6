/**
 * A GSM modem that does what a test says. It speaks AT commands (3GPP TS 27.005 and 27.007) in PDU mode
 * over a pseudo-terminal, for the real programs that drive modems.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { answer } from './commands.js';
import {
  type Delivery,
  deliverPdus,
  readSubmit,
  reportPdu,
  type StatusReport,
  type Submitted,
  tpduLength,
} from './pdu.js';
import { Pty } from './pty.js';
import { type Memory, Storage } from './storage.js';

/** What the modem does with a PDU to send. `silent`: it has taken it, and never says so. */
export type Verdict = 'sent' | 'silent' | { readonly error: string };

/** Null: the usual answer. `silent`: none, ever. Else these lines, of which the last one is the result. */
export type Scripted = null | 'silent' | readonly string[];

export interface ModemPlan {
  readonly sizes?: Partial<Record<Memory, number>>;
  /** Milliseconds before each answer. */
  readonly latencyMs?: number;
  /** It can only store reports, and announce them with +CDSI. */
  readonly storesReports?: boolean;
}

const ESCAPE = 0x1b;
const END = 0x1a;

export class ScriptedModem {
  /** Every command that came, without its line end. */
  readonly commands: string[] = [];
  /** Every SMS that the network has taken, part by part. */
  readonly sent: (Submitted & { readonly reference: number })[] = [];
  readonly storage: Storage;
  /** Replaced by tests: called for each command, and for each SMS whose PDU is whole. */
  onCommand: (command: string) => Scripted | Promise<Scripted> = () => null;
  onSubmit: (sms: Submitted) => Verdict | Promise<Verdict> = () => 'sent';
  signal = 20;
  registration = 1;
  sim: 'READY' | 'SIM PIN' | 'ABSENT' = 'READY';
  pinTries = 0;
  /** Set by commands. */
  hasEcho = true;
  memory: Memory = 'SM';
  indications = [0, 0, 0, 0];
  reference = 0;

  private readonly pty: Pty;
  private readonly waiting: string[] = [];
  private input: number[] = [];
  /** Octets that AT+CMGS has announced; null outside of it. */
  private prompt: number | null = null;
  private work: Promise<void> = Promise.resolve();
  private epoch = 0;

  private constructor(
    path: string,
    readonly plan: ModemPlan,
  ) {
    this.storage = new Storage({ SM: 20, ME: 0, SR: 10, ...plan.sizes });
    this.pty = new Pty(path, (bytes) => this.take(bytes));
  }

  /** Plugged in, with `path` as its serial port. */
  static async open(path: string, plan: ModemPlan = {}): Promise<ScriptedModem> {
    const modem = new ScriptedModem(path, plan);
    await modem.pty.plug();
    return modem;
  }

  /** The port is gone; what is stored stays. */
  async unplug(): Promise<void> {
    this.epoch += 1;
    await this.pty.unplug();
  }

  async plug(): Promise<void> {
    this.input = [];
    this.prompt = null;
    this.hasEcho = true;
    this.indications = [0, 0, 0, 0];
    await this.pty.plug();
  }

  close(): Promise<void> {
    return this.unplug();
  }

  /** An SMS arrives. What the storage has no room for waits in the network. */
  deliver(sms: Delivery): void {
    this.receive(...deliverPdus(sms));
  }

  /** PDUs arrive, in this order. */
  receive(...pdus: readonly string[]): void {
    this.waiting.push(...pdus);
    this.flush();
  }

  /** How many SMS the network still holds, as the storage is full. */
  get held(): number {
    return this.waiting.length;
  }

  /** Puts into the storage what the network holds; called when a place became free. */
  flush(): void {
    while (this.waiting[0] !== undefined) {
      const place = this.storage.put('SM', this.waiting[0]) ?? null;
      if (place === null) return;
      this.waiting.shift();
      if (this.indications[1] === 1) this.say(`+CMTI: "SM",${place}`);
    }
  }

  /** A report arrives. It is lost where the modem was not told to store it or hand it over. */
  report(report: StatusReport): void {
    const pdu = reportPdu(report);
    if (this.indications[3] === 2) {
      const place = this.storage.put('SR', pdu);
      if (place !== null) this.say(`+CDSI: "SR",${place}`);
    } else if (this.indications[3] === 1) this.say(`+CDS: ${tpduLength(pdu)}\r\n${pdu}`);
  }

  /** An unsolicited line. */
  say(line: string): void {
    this.write(`\r\n${line}\r\n`);
  }

  write(text: string): void {
    this.pty.write(text);
  }

  private take(bytes: Buffer): void {
    for (const byte of bytes) {
      if (this.prompt !== null) this.takeOfSubmit(byte);
      else if (byte === 0x0d) this.line(this.flushInput());
      else if (byte !== 0x0a && byte !== ESCAPE) this.input.push(byte);
    }
  }

  private flushInput(): string {
    const text = Buffer.from(this.input).toString('latin1');
    this.input = [];
    return text;
  }

  private line(command: string): void {
    if (command === '') return;
    this.commands.push(command);
    const length = /^AT\+CMGS=(\d+)$/i.exec(command)?.[1];
    // At once: what follows the command is the PDU.
    if (length !== undefined) this.prompt = Number(length);
    this.enqueue(async () => {
      if (this.hasEcho) this.write(`${command}\r`);
      const scripted = await this.onCommand(command);
      if (scripted === 'silent') return;
      await sleep(this.plan.latencyMs ?? 0);
      if (scripted !== null) {
        this.prompt = null;
        this.write(scripted.map((line) => `\r\n${line}\r\n`).join(''));
      } else if (length !== undefined) this.write('\r\n> ');
      else this.write(answer(this, command));
    });
  }

  private takeOfSubmit(byte: number): void {
    if (byte !== END && byte !== ESCAPE) {
      if (byte !== 0x0d && byte !== 0x0a) this.input.push(byte);
      return;
    }
    const pdu = this.flushInput();
    const length = this.prompt ?? 0;
    this.prompt = null;
    this.enqueue(async () => {
      if (byte === ESCAPE) this.write('\r\nOK\r\n');
      else if (tpduLength(pdu) !== length) this.say('+CMS ERROR: 304');
      else await this.submit(readSubmit(pdu));
    });
  }

  private async submit(sms: Submitted): Promise<void> {
    const verdict = await this.onSubmit(sms);
    await sleep(this.plan.latencyMs ?? 0);
    if (typeof verdict === 'object') {
      this.say(verdict.error);
      return;
    }
    this.reference = (this.reference + 1) % 256;
    this.sent.push({ ...sms, reference: this.reference });
    if (verdict === 'sent') this.write(`\r\n+CMGS: ${this.reference}\r\n\r\nOK\r\n`);
  }

  /** One thing after the other; what was begun before it was unplugged ends in nothing. */
  private enqueue(step: () => Promise<void>): void {
    const { epoch } = this;
    this.work = this.work
      .then(() => (epoch === this.epoch ? step() : undefined))
      .catch((error: unknown) => console.error(error));
  }
}
