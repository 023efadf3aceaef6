/** Chooses the platform: the requested one, else the detected one. */
import { resolve } from 'node:path';
import { RelayError } from '../core/errors.js';
import type { Log, Platform } from '../core/ports.js';
import { modemPlatform } from '../platforms/modem/modem-platform.js';
import { SentBook } from '../platforms/modem/modem-sender.js';
import { folderSimulator, stdinSimulator } from '../platforms/simulator/simulator.js';
import { termuxPhone } from '../platforms/termux/termux.js';
import { nodeClock } from '../ports/node-clock.js';
import { NodeDurableFile } from '../ports/node-files.js';
import type { Home } from '../ports/node-home.js';
import { findProgram, foldersOf } from '../ports/programs.js';
import { type ModemSpec, modemsOf } from './modems.js';

export const PLATFORMS = ['termux', 'modem', 'simulator'] as const;
type PlatformName = (typeof PLATFORMS)[number];

export interface PlatformOptions {
  readonly platform?: PlatformName;
  readonly inbox?: string;
  readonly stdin?: boolean;
  readonly once?: boolean;
  /** Subscription ids of Android by SIM slot. */
  readonly simSubs?: ReadonlyMap<number, number>;
  readonly modems?: readonly ModemSpec[];
}

/** Polling a folder is cheap; each call of Termux:API starts a Java process. */
const POLL_MS = { termux: 500, modem: 500, simulator: 250 } as const satisfies Record<PlatformName, number>;

interface Chosen {
  readonly platform: Platform;
  /** The default polling interval of this kind of inbox. */
  readonly pollMs: number;
}

export async function choosePlatform(options: PlatformOptions, home: Home, log: Log): Promise<Chosen> {
  const { inbox, stdin = false, once = false, simSubs } = options;
  const isPlayed = stdin || inbox !== undefined;
  const name = options.platform ?? defaultName(options, isPlayed);
  if (name !== 'simulator' && isPlayed)
    throw new RelayError('invalid_input', '--inbox and --stdin belong to --platform simulator');
  const pollMs = POLL_MS[name];
  if (name === 'termux') {
    const phone = { simSubs: simSubs ?? new Map(), once };
    return { platform: termuxPhone(process.env.PATH, phone, nodeClock, log), pollMs };
  }
  if (name === 'modem') return { platform: await modemsHere(options, home, log), pollMs };
  log.warn('this is the simulator: SMS come from files or stdin, and none is sent');
  if (stdin) return { platform: stdinSimulator(process.stdin, process.stdout, nodeClock, log), pollMs };
  const folders = { inbox: resolve(inbox ?? `${home.path}/inbox`), outbox: `${home.path}/outbox` };
  return { platform: folderSimulator(folders, once, log), pollMs };
}

function defaultName({ modems }: PlatformOptions, isPlayed: boolean): PlatformName {
  if (isPlayed) return 'simulator';
  const name = modems === undefined ? platformHere(process.env) : 'modem';
  if (name === null) throw new RelayError('no_platform');
  return name;
}

async function modemsHere(options: PlatformOptions, home: Home, log: Log): Promise<Platform> {
  const { modems: specs, once = false } = options;
  const modems = await modemsOf(specs, { home, path: process.env.PATH ?? '', clock: nodeClock, log });
  const book = await SentBook.open(new NodeDurableFile(home.modemSentPath));
  return modemPlatform({ modems, book, once, clock: nodeClock, log });
}

/**
 * Termux sets PREFIX to its own folder; elsewhere its programs may have been put on the PATH.
 * @returns null on any other computer: an agent that plays a phone there must be asked for.
 */
export function platformHere(env: NodeJS.ProcessEnv): PlatformName | null {
  if (env.KASHBOX_RELAY_MODEMS !== undefined) return 'modem';
  const isTermux =
    env.PREFIX?.includes('com.termux') === true ||
    findProgram(foldersOf(env.PATH), 'termux-sms-list') !== undefined;
  return isTermux ? 'termux' : null;
}
