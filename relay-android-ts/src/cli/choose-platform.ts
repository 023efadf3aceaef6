/** Chooses the platform: the requested one, else the detected one. */
import { resolve } from 'node:path';
import { RelayError } from '../core/errors.js';
import type { Log, Platform } from '../core/ports.js';
import { gammuModem } from '../platforms/modem/gammu/gammu-modem.js';
import { modemManagerModem } from '../platforms/modem/modem-manager/modem-manager.js';
import { modemPlatform } from '../platforms/modem/modem-platform.js';
import { SentLog } from '../platforms/modem/modem-sender.js';
import { pipedPhone, simulatedPhone } from '../platforms/simulator/simulator.js';
import { termuxPhone } from '../platforms/termux/termux.js';
import { nodeClock } from '../ports/node-clock.js';
import { NodeDurableFile } from '../ports/node-files.js';
import type { Home } from '../ports/node-home.js';
import { findProgram, splitPath } from '../ports/programs.js';
import { type ModemSpec, specsHere } from './modems.js';

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

interface ChosenPlatform {
  readonly platform: Platform;
  /** The default polling interval of this kind of inbox. */
  readonly pollMs: number;
}

export async function choosePlatform(
  options: PlatformOptions,
  home: Home,
  log: Log,
): Promise<ChosenPlatform> {
  const { inbox, stdin = false, once = false, simSubs } = options;
  const name = options.platform ?? defaultName(options);
  if (name !== 'simulator' && (stdin || inbox !== undefined))
    throw new RelayError('invalid_input', '--inbox and --stdin belong to --platform simulator');
  const pollMs = POLL_MS[name];
  if (name === 'termux') {
    const phone = { simSubs: simSubs ?? new Map(), once };
    return { platform: termuxPhone(process.env.PATH, phone, nodeClock, log), pollMs };
  }
  if (name === 'modem') return { platform: await modemsHere(options, home, log), pollMs };
  log.warn('this is the simulator: SMS come from files or stdin, and none is sent');
  const folders = { inbox: resolve(inbox ?? `${home.path}/inbox`), outbox: `${home.path}/outbox` };
  if (!stdin) return { platform: simulatedPhone(folders, once, log), pollMs };
  const piped = { input: process.stdin, output: process.stdout, now: () => nodeClock.now() };
  return { platform: pipedPhone(folders, piped, log), pollMs };
}

function defaultName({ modems, inbox, stdin = false }: PlatformOptions): PlatformName {
  if (stdin || inbox !== undefined) return 'simulator';
  const name = modems === undefined ? platformHere(process.env) : 'modem';
  if (name === null) throw new RelayError('no_platform');
  return name;
}

/** @throws RelayError where no modem is named and ModemManager has none */
async function modemsHere(options: PlatformOptions, home: Home, log: Log): Promise<Platform> {
  const { once = false } = options;
  const [path, clock] = [process.env.PATH ?? '', nodeClock];
  const modems = (options.modems ?? (await specsHere(path))).map((spec) => {
    const { slot } = spec;
    if (spec.program === 'mm') return modemManagerModem({ slot, id: spec.imei, clock, log, path });
    return gammuModem({ slot, device: spec.device, folder: home.modemFolder(slot), clock, log, path });
  });
  const book = await SentLog.open(new NodeDurableFile(home.modemSentPath));
  return modemPlatform({ modems, book, once, clock, log });
}

/**
 * Returns `modem` if KASHBOX_RELAY_MODEMS is set, `termux` if PREFIX is Termux's folder or its programs are
 * on the PATH, otherwise null: the simulator must be requested.
 */
export function platformHere(env: NodeJS.ProcessEnv): PlatformName | null {
  if (env.KASHBOX_RELAY_MODEMS !== undefined) return 'modem';
  const isTermux =
    env.PREFIX?.includes('com.termux') === true ||
    findProgram(splitPath(env.PATH), 'termux-sms-list') !== undefined;
  return isTermux ? 'termux' : null;
}
