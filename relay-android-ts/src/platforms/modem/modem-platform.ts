/** GSM modems as the platform of the agent: inbox, sender and health. */
import type { HealthReading, SimReading } from '../../core/health.js';
import type { Clock, Log, Platform } from '../../core/ports.js';
import type { Modem, ModemEvents, ModemState } from './modem.js';
import { ModemInbox } from './modem-inbox.js';
import { ModemSender, type SentLog } from './modem-sender.js';

const HEALTH_EVERY_MS = 10_000;
/** Time until a problem is reported: a modem takes seconds to start, and may be plugged in again. */
const TOLD_AFTER_MS = 15_000;

interface ModemPorts {
  readonly modems: readonly Modem[];
  readonly book: SentLog;
  readonly once: boolean;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Opens the modems; one that is not there is tried again until the platform closes.
 * @throws what a modem throws that can never be opened; none is open then
 */
export async function modemPlatform({ modems, book, once, clock, log }: ModemPorts): Promise<Platform> {
  const inbox = new ModemInbox(modems, once, clock, log);
  const sender = new ModemSender(modems, book, clock, log);
  const close = async (): Promise<void> => {
    sender.close();
    await Promise.all(modems.map((modem) => modem.close()));
    await book.close();
  };
  for (const modem of modems) {
    const events: ModemEvents = {
      onSms: () => inbox.notify(),
      onReport: (report) => sender.reported(modem, report),
      onHandedOver: (id, handover, about) => void sender.handedOver(modem, id, handover, about),
    };
    try {
      await modem.open(events);
    } catch (error) {
      // Else the programs of the others would run on, and this process with them.
      await close();
      throw error;
    }
  }
  const problems = new LastingProblems(clock);
  return {
    name: 'modem',
    inbox,
    sender,
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => {
      const states = await Promise.all(
        modems.map(async (modem) => ({ modem, state: await modem.readState() })),
      );
      problems.note(states);
      return healthOf(states);
    },
    problem: () => problems.told,
    close,
  };
}

type States = readonly { readonly modem: Modem; readonly state: ModemState }[];

class LastingProblems {
  /** Reported problems in one line; null if there are none. */
  told: string | null = null;
  /** Start time of the current problem, by slot. */
  private readonly since = new Map<number, number>();

  constructor(private readonly clock: Clock) {}

  note(states: States): void {
    const now = this.clock.now();
    const lasting: string[] = [];
    for (const { modem, state } of states) {
      const since = this.since.get(modem.slot) ?? now;
      if (state.problem === null) this.since.delete(modem.slot);
      else this.since.set(modem.slot, since);
      if (state.problem !== null && now - since >= TOLD_AFTER_MS)
        lasting.push(`modem ${modem.slot}: ${state.problem}`);
    }
    this.told = lasting.length === 0 ? null : lasting.join('; ');
  }
}

/** Battery and network are null: the modems do not report them, and the computer has both. */
function healthOf(states: States): HealthReading {
  const sims = states.map(({ modem, state }): SimReading => {
    const { number, signal, registration, sim, temperature } = state;
    return { slot: modem.slot, number, signal, registration, state: sim, temperature };
  });
  return { battery: null, charging: null, network: null, sims };
}
