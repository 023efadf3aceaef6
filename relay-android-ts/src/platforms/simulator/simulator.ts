/** A simulated phone: SMS come from a folder or from stdin, its state from a file in the folder. */
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { UNKNOWN_HEALTH } from '../../core/health.js';
import type { Clock, HealthReading, Log, Network, Platform, Sim } from '../../core/ports.js';
import { readIfThere } from '../../ports/node-files.js';
import { FolderInbox, HEALTH_FILE } from './simulator-folder.js';
import { FolderSender } from './simulator-sender.js';
import { StdinInbox } from './simulator-stdin.js';
import { parseJson } from './sms-json.js';

const HEALTH_EVERY_MS = 1_000;
const NETWORKS: readonly unknown[] = ['wifi', 'mobile', 'none', 'unknown'] satisfies readonly Network[];

export interface Folders {
  readonly inbox: string;
  readonly outbox: string;
}

/** Folders are made if they are missing. With `once` the inbox ends when its folder is empty. */
export function folderSimulator(folders: Folders, once: boolean, log: Log): Platform {
  let last = UNKNOWN_HEALTH;
  return {
    name: 'simulator',
    inbox: new FolderInbox(folders.inbox, once, log),
    sender: new FolderSender(folders.outbox),
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => {
      const text = (await readIfThere(join(folders.inbox, HEALTH_FILE)))?.toString('utf8');
      // A file that is being written reads as no JSON; the phone is then as it was.
      if (text !== undefined) last = parseHealth(parseJson(text)) ?? last;
      return last;
    },
  };
}

export function stdinSimulator(input: Readable, output: Writable, clock: Clock, log: Log): Platform {
  return {
    name: 'simulator',
    inbox: new StdinInbox(input, output, () => clock.now(), log),
    sender: null,
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => UNKNOWN_HEALTH,
  };
}

/** Unusable fields are unknown. Undefined if it is no object at all. */
function parseHealth(value: unknown): HealthReading | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { battery, charging, network, sims } = value as Record<string, unknown>;
  const isPercent = typeof battery === 'number' && battery >= 0 && battery <= 100;
  return {
    battery: isPercent ? Math.round(battery) : null,
    charging: typeof charging === 'boolean' ? charging : null,
    network: NETWORKS.includes(network) ? (network as Network) : null,
    sims: Array.isArray(sims) ? sims.flatMap(parseSim) : [],
  };
}

function parseSim(value: unknown): Sim[] {
  if (typeof value !== 'object' || value === null) return [];
  const { slot, number } = value as Record<string, unknown>;
  if (typeof slot !== 'number' || !Number.isInteger(slot) || slot < 1) return [];
  return [{ slot, number: typeof number === 'string' ? number : null }];
}
