/** GSM modems as the platform of the agent: what each has received, what is to be sent, and how they are. */
import type { HealthReading, SimReading } from '../../core/health.js';
import type { Clock, Log, Platform } from '../../core/ports.js';
import type { Modem, ModemEvents, ModemState } from './modem.js';
import { ModemInbox } from './modem-inbox.js';
import { ModemSender } from './modem-sender.js';
import type { SentBook } from './sent-book.js';

const HEALTH_EVERY_MS = 10_000;

export interface ModemPorts {
  readonly modems: readonly Modem[];
  readonly book: SentBook;
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
  let problem: string | null = null;
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
      problem = problemOf(states);
      return healthOf(states);
    },
    problem: () => problem,
    close,
  };
}

type States = readonly { readonly modem: Modem; readonly state: ModemState }[];

function problemOf(states: States): string | null {
  const told = states.flatMap(({ modem, state }) =>
    state.problem === null ? [] : [`modem ${modem.slot}: ${state.problem}`],
  );
  return told.length === 0 ? null : told.join('; ');
}

/** Of battery and network the modems tell nothing: the computer has both. */
function healthOf(states: States): HealthReading {
  const sims = states.map(({ modem, state }): SimReading => {
    const { number, signal, registration, sim, temperature } = state;
    return { slot: modem.slot, number, signal, registration, state: sim, temperature };
  });
  return { battery: null, charging: null, network: null, sims };
}
