/** A real phone: Android, Termux and its Termux:API. Puts its parts together. */
import { type HealthReading, type PhoneNetwork, parsePercent, UNKNOWN_HEALTH } from '../../core/health.js';
import type { AgentStatus, Clock, Log, Platform, Surface } from '../../core/ports.js';
import { explain, TermuxCalls } from './termux-calls.js';
import { TermuxInbox, type TermuxInboxOptions } from './termux-inbox.js';
import { TermuxSender } from './termux-sender.js';

const HEALTH_EVERY_MS = 60_000;
const ID = 'kashbox-relay';
/** Each change costs a process on the phone. */
const SHOW_EVERY_MS = 10_000;

/** @param path PATH in which the programs of Termux:API are looked up */
export function termuxPhone(
  path: string | undefined,
  options: TermuxInboxOptions,
  clock: Clock,
  log: Log,
): Platform {
  const calls = new TermuxCalls(path);
  return {
    name: 'termux',
    inbox: new TermuxInbox(calls, clock, log, options),
    sender: new TermuxSender(calls, clock),
    surface: new TermuxSurface(calls, clock, log),
    readHealth: () => readTermuxHealth(calls),
    healthEveryMs: HEALTH_EVERY_MS,
  };
}

/** Reads battery, charging and network; null for what Termux:API does not report, not an error. */
export async function readTermuxHealth(calls: TermuxCalls): Promise<HealthReading> {
  await followZone(calls);
  const { percentage, plugged } = await calls.fields('termux-battery-status');
  return {
    ...UNKNOWN_HEALTH,
    battery: parsePercent(percentage),
    charging: typeof plugged === 'string' ? plugged !== 'UNPLUGGED' : null,
    network: await readNetwork(calls),
  };
}

async function readNetwork(calls: TermuxCalls): Promise<PhoneNetwork | null> {
  const { supplicant_state: wifi } = await calls.fields('termux-wifi-connectioninfo');
  if (wifi === 'COMPLETED') return 'wifi';
  const { data_state: data } = await calls.fields('termux-telephony-deviceinfo');
  if (data === 'connected') return 'mobile';
  return typeof wifi === 'string' && data === 'disconnected' ? 'none' : null;
}

/**
 * SMS are listed in the phone's local time, and a running Node keeps the zone that it found at its start. A
 * phone whose owner sets the zone, or travels, is followed within a minute.
 */
async function followZone(calls: TermuxCalls): Promise<void> {
  const result = await calls.run({ program: 'getprop', args: ['persist.sys.timezone'] });
  const zone = result.kind === 'answered' ? result.stdout.trim() : '';
  if (/^[A-Za-z0-9_+\-/]{1,60}$/.test(zone) && zone !== process.env.TZ) process.env.TZ = zone;
}

/** Keeps the phone awake while the agent runs, and shows its state in a notification that stays. */
class TermuxSurface implements Surface {
  private wanted = 'starting';
  private shown = '';
  private cancelNext: (() => void) | null = null;
  private closed = false;

  constructor(
    private readonly calls: TermuxCalls,
    private readonly clock: Clock,
    private readonly log: Log,
  ) {}

  async open(): Promise<void> {
    await this.run('termux-wake-lock');
    if (!this.closed) await this.draw();
  }

  show({ connected, waiting, lastSmsAt, problem }: AgentStatus): void {
    const last = lastSmsAt === null ? 'no SMS yet' : `last SMS ${clockTime(lastSmsAt)}`;
    const usual = `${connected ? 'connected' : 'not connected'}, ${waiting} waiting, ${last}`;
    // First, because a notification shows only the beginning of its text.
    this.wanted = problem === null ? usual : `${problem}; ${usual}`;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancelNext?.();
    await this.run('termux-notification-remove', [ID]);
    await this.run('termux-wake-unlock');
  }

  private async draw(): Promise<void> {
    if (this.wanted !== this.shown) {
      this.shown = this.wanted;
      await this.run('termux-notification', [
        ...['--id', ID, '--ongoing', '--alert-once'],
        ...['--title', 'Kashbox', '--content', this.shown],
      ]);
    }
    if (!this.closed) this.cancelNext = this.clock.after(SHOW_EVERY_MS, () => void this.draw());
  }

  private async run(program: string, args: readonly string[] = []): Promise<void> {
    const result = await this.calls.run({ program, args });
    if (result.kind !== 'answered') this.log.warn(explain(program, result));
  }
}

/** Hours and minutes by the phone's clock. */
function clockTime(ms: number): string {
  const at = new Date(ms);
  return [at.getHours(), at.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}
