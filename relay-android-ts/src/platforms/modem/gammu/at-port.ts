/** Speaks AT commands with a modem itself, on its serial port, while no other program does. */
import { close, constants, open, write } from 'node:fs';
import { isatty, ReadStream } from 'node:tty';
import { promisify } from 'node:util';
import type { Clock } from '../../../core/ports.js';

const FLAGS = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
const MAX_INPUT = 65_536;
const FINAL = /^(OK|ERROR|\+CM[ES] ERROR.*)$/;
const ESCAPE = '\x1b';
const FIRST_TRIES = 3;
const QUIET_MS = 300;

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
   * @param limitMs for each command
   * @throws Error where it is no serial port, or nothing answers there
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

  /** What another program has begun may be under way: the end of its answer is no answer to us. */
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
