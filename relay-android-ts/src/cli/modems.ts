/** Which modem has which SIM: how it is written on the command line, and what is made of it. */
import { InvalidArgumentError, Option } from 'commander';
import { RelayError } from '../core/errors.js';
import type { Clock, Log } from '../core/ports.js';
import { gammuModem } from '../platforms/modem/gammu/gammu-modem.js';
import type { Modem } from '../platforms/modem/modem.js';
import { listModems } from '../platforms/modem/modem-manager/modem-facts.js';
import { modemManagerModem } from '../platforms/modem/modem-manager/modem-manager.js';
import type { Home } from '../ports/node-home.js';

/** How a modem is driven, and how it is known: a device file by gammu-smsd, an IMEI by ModemManager. */
export type ModemSpec =
  | { readonly slot: number; readonly program: 'gammu'; readonly device: string }
  | { readonly slot: number; readonly program: 'mm'; readonly imei: string | null };

const MODEM_EXAMPLE = '1=gammu:/dev/serial/by-id/usb-…-if00,2=mm:356938035643809';
const SPEC = /^([1-9])=(?:(gammu):(\/[^,\s]+)|(mm)(?::(\d{14,16}))?)$/;

/** The option of all commands that are about modems. */
export function modemsOption(): Option {
  const about = 'which modem has which SIM: a device file for gammu-smsd, or an IMEI of ModemManager';
  const option = new Option('--modems <slot=modem,…>', `${about}, for example ${MODEM_EXAMPLE}`);
  return option.env('KASHBOX_RELAY_MODEMS').argParser(parseModems);
}

/** @param text as in MODEM_EXAMPLE. @throws InvalidArgumentError */
export function parseModems(text: string): readonly ModemSpec[] {
  const specs = text.split(',').map((part) => parseModem(part.trim()));
  const isOnce = (values: readonly unknown[]) => new Set(values).size === values.length;
  if (!isOnce(specs.map(({ slot }) => slot))) throw new InvalidArgumentError('Each slot once, please.');
  if (!isOnce(specs.map(placeOf))) throw new InvalidArgumentError('Each modem once, please.');
  return specs;
}

const placeOf = (spec: ModemSpec) => (spec.program === 'gammu' ? spec.device : `mm:${spec.imei}`);

function parseModem(text: string): ModemSpec {
  const [found, slot, gammu, device, , imei] = SPEC.exec(text) ?? [];
  if (found === undefined) throw new InvalidArgumentError(`It must look like ${MODEM_EXAMPLE}.`);
  if (gammu !== undefined && device !== undefined) return { slot: Number(slot), program: 'gammu', device };
  return { slot: Number(slot), program: 'mm', imei: imei ?? null };
}

/** As `parseModems` reads it. */
export function modemsText(specs: readonly ModemSpec[]): string {
  return specs
    .map((spec) => {
      const { slot, program } = spec;
      if (spec.program === 'gammu') return `${slot}=${program}:${spec.device}`;
      return spec.imei === null ? `${slot}=${program}` : `${slot}=${program}:${spec.imei}`;
    })
    .join(',');
}

interface ModemParts {
  readonly home: Home;
  /** Where programs are looked for, as PATH. */
  readonly path: string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * @param specs undefined takes those that ModemManager knows, in the order of their IMEI.
 * @throws RelayError where none is named and ModemManager has none
 */
export async function modemsOf(
  specs: readonly ModemSpec[] | undefined,
  parts: ModemParts,
): Promise<readonly Modem[]> {
  return (specs ?? (await specsHere(parts.path))).map((spec) => modemOf(spec, parts));
}

/**
 * The modems of ModemManager, in the order of their IMEI.
 * @throws RelayError `no_modem`
 */
export async function specsHere(path: string): Promise<readonly ModemSpec[]> {
  const { modems, problem } = await listModems(path);
  const imeis = modems.flatMap(({ imei }) => (imei === null ? [] : [imei])).sort();
  if (imeis.length > 0) return imeis.map((imei, at) => ({ slot: at + 1, program: 'mm', imei }));
  const why = problem === null ? 'ModemManager knows no modem' : problem;
  throw new RelayError('no_modem', `No modem is named, and ${why}`);
}

function modemOf(spec: ModemSpec, { home, path, clock, log }: ModemParts): Modem {
  const { slot } = spec;
  if (spec.program === 'mm') return modemManagerModem({ slot, id: spec.imei, clock, log, path });
  return gammuModem({ slot, device: spec.device, folder: home.modemFolder(slot), clock, log, path });
}
