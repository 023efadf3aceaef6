/**
 * Tells of signals of ModemManager, so that an SMS is not found at the next poll only. dbus-monitor prints
 * one line for each, without texts of SMS. Where it is missing or may not listen, the polls remain.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Clock } from '../../../core/ports.js';
import type { Mmcli } from './mmcli.js';

const MESSAGING = 'org.freedesktop.ModemManager1.Modem.Messaging';
const RULES = [
  `type='signal',interface='${MESSAGING}'`,
  "type='signal',member='NameOwnerChanged',arg0='org.freedesktop.ModemManager1'",
];
const RETRY_MS = 60_000;

export class SmsEvents {
  private child: ChildProcess | null = null;
  private callOff: () => void = () => {};
  private isClosed = false;

  constructor(
    private readonly parts: {
      readonly mmcli: Mmcli;
      readonly clock: Clock;
      /** The D-Bus object of a modem that has taken an SMS or a report. */
      readonly onSms: (modem: string) => void;
      /** ModemManager has ended or has begun. */
      readonly onRestart: () => void;
    },
    private readonly retryMs = RETRY_MS,
  ) {}

  open(): void {
    const file = this.parts.mmcli.find('dbus-monitor');
    if (file === undefined || this.isClosed) return;
    const child = spawn(file, ['--system', '--profile', ...RULES], { stdio: ['ignore', 'pipe', 'ignore'] });
    this.child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.read(line));
    let isOver = false;
    const over = (): void => {
      if (isOver || this.isClosed) return;
      isOver = true;
      this.callOff = this.parts.clock.after(this.retryMs, () => this.open());
    };
    child.on('error', over).on('close', over);
  }

  close(): void {
    this.isClosed = true;
    this.callOff();
    this.child?.kill('SIGKILL');
  }

  /** A line has: type, time, serial, sender, destination, path, interface, member. */
  private read(line: string): void {
    const [type, , , , , path = '', , member] = line.split('\t');
    if (type !== 'sig') return;
    if (member === 'Added') this.parts.onSms(path);
    if (member === 'NameOwnerChanged') this.parts.onRestart();
  }
}
