/**
 * Removes an SMS that gammu (1.42) cannot decode. gammu begins with it each time, never reaches the others,
 * and never deletes it: anyone who sends one would stop the shop's SMS. So its PDU is stored on disk, and
 * then it is deleted from the modem, by AT commands and while gammu does not run.
 */
import { createHash } from 'node:crypto';
import { close, constants, open, write } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import { isDeepStrictEqual, promisify } from 'node:util';
import { errorMessage } from '../../../core/errors.js';
import type { Clock, Log } from '../../../core/ports.js';
import type { Unreadable } from './gammu-folder.js';

export interface UndecodedSms {
  /** `SM` or `ME`. */
  readonly memory: string;
  readonly place: number;
  /** PDU in hex. */
  readonly pdu: string;
}

/** Consecutive failures before the SMS is removed: data read over a bad line may be correct next time. */
const FAILURES = 3;
const AGAIN_AFTER_MS = 60_000;
const ANSWER_MS = 5000;
const NAME_LENGTH = 16;

export class StuckSms {
  private last: UndecodedSms | null = null;
  private failures = 0;
  private nextAt = 0;
  private why: string | null = null;

  constructor(
    private readonly device: string,
    private readonly unreadable: Unreadable,
    private readonly runtime: { readonly clock: Clock; readonly log: Log; readonly slot: number },
  ) {}

  /** One line for the user. */
  get problem(): string {
    if (this.why === null) return 'gammu cannot read an SMS, which is being set aside';
    const place = `${this.last?.memory} ${this.last?.place}`;
    return `an unreadable SMS (${place}) holds up the others; it cannot be removed (${this.why}): use a phone`;
  }

  /** gammu has failed at it. @returns whether gammu must end, so that `clear` can be called */
  note(sms: UndecodedSms): boolean {
    const isSame = isDeepStrictEqual(this.last, sms);
    this.failures = isSame ? this.failures + 1 : 1;
    if (!isSame) this.why = null;
    this.last = sms;
    return this.isDue;
  }

  /** Called while gammu does not run. Never rejects. */
  async clear(): Promise<void> {
    const { clock, log, slot } = this.runtime;
    if (this.last === null || !this.isDue) return;
    this.failures = 0;
    try {
      const isDone = await this.setAside(this.last);
      this.last = null;
      this.why = null;
      if (isDone) log.warn('an SMS that gammu cannot read was set aside', { slot });
    } catch (error) {
      this.nextAt = clock.now() + AGAIN_AFTER_MS;
      this.why = errorMessage(error).slice(0, 40);
      log.warn('an SMS that gammu cannot read holds up the others', { slot, reason: this.why });
    }
  }

  private get isDue(): boolean {
    return this.failures >= FAILURES && this.runtime.clock.now() >= this.nextAt;
  }

  /** False where another SMS has its place by now. */
  private async setAside({ memory, place, pdu }: UndecodedSms): Promise<boolean> {
    const { clock } = this.runtime;
    const port = await AtPort.open(this.device, clock, ANSWER_MS);
    try {
      await port.command('AT+CMGF=0');
      await port.command(`AT+CPMS="${memory}"`);
      const lines = await port.command(`AT+CMGR=${place}`);
      if (!lines.includes(pdu)) return false;
      // Named by what is in it, so that many tries leave one file.
      const name = createHash('sha256').update(pdu).digest('hex').slice(0, NAME_LENGTH);
      await this.unreadable.put(name, `${pdu}\n`, 'pdu');
      await port.command(`AT+CMGD=${place}`);
      return true;
    } finally {
      await port.close();
    }
  }
}

const FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
const MAX_INPUT = 65_536;
const FINAL = /^(OK|ERROR|\+CM[ES] ERROR.*)$/;
const ESCAPE = '\x1b';
const FIRST_TRIES = 3;
const QUIET_MS = 300;

/** Speaks AT commands with a modem itself, on its serial port, while no other program does. */
export class AtPort {
  private input = '';
  private take: (line: string) => void = () => {};
  private fail: (why: Error) => void = () => {};

  private constructor(
    private readonly fd: number,
    private readonly stream: ReadStream,
    private readonly clock: Clock,
    private readonly limitMs: number,
  ) {
    stream.on('error', (error) => this.fail(error));
    stream.on('close', () => this.fail(new Error('the port is closed')));
    stream.setEncoding('latin1').on('data', (text: string) => this.read(text));
  }

  /**
   * @param limitMs time limit of each command
   * @throws Error if the device is not a serial port, or does not answer
   */
  static async open(device: string, clock: Clock, limitMs: number): Promise<AtPort> {
    const fd = await promisify(open)(device, FLAGS);
    if (!isatty(fd)) {
      await promisify(close)(fd);
      throw new Error('it is no serial port');
    }
    const stream = new ReadStream(fd).setRawMode(true);
    const port = new AtPort(fd, stream, clock, limitMs);
    try {
      await port.begin();
    } catch (error) {
      await port.close();
      throw error;
    }
    return port;
  }

  /**
   * @returns the lines of the answer before its `OK`
   * @throws Error with the modem's error, or after the limit
   */
  async command(command: string): Promise<readonly string[]> {
    const lines: string[] = [];
    await new Promise<void>((resolve, reject) => {
      const off = this.clock.after(this.limitMs, () => reject(new Error('no answer')));
      const end = (error?: Error): void => {
        off();
        if (error === undefined) resolve();
        else reject(error);
      };
      this.fail = end;
      this.take = (line) => {
        if (line === 'OK') end();
        else if (FINAL.test(line)) end(new Error(line));
        else if (line !== command) lines.push(line);
      };
      write(this.fd, `${command}\r`, (error) => {
        if (error !== null) end(error);
      });
    });
    this.take = () => {};
    return lines;
  }

  async close(): Promise<void> {
    this.fail = () => {};
    // The stream has opened the port once more.
    this.stream.destroy();
    await promisify(close)(this.fd);
  }

  /** Synchronises with the modem: the end of another program's answer must not be taken for one to us. */
  private async begin(): Promise<void> {
    for (let tries = 1; ; tries += 1) {
      try {
        await this.command(`${ESCAPE}AT`);
        break;
      } catch (error) {
        if (tries === FIRST_TRIES) throw error;
      }
    }
    await new Promise<void>((resolve) => {
      this.clock.after(QUIET_MS, resolve);
    });
    await this.command('ATE0');
  }

  private read(text: string): void {
    const lines = (this.input + text).split(/[\r\n]+/);
    this.input = (lines.pop() ?? '').slice(0, MAX_INPUT);
    for (const line of lines) if (line !== '') this.take(line);
  }
}
