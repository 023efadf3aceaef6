/** Parses and formats the option `--modems`, which assigns modems to SIM slots. */
import { InvalidArgumentError, Option } from 'commander';
import { RelayError } from '../core/errors.js';
import { listModems } from '../platforms/modem/modem-manager/modem-facts.js';

/** Driver and address: gammu-smsd uses a device file, ModemManager an IMEI (null for the only modem). */
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
  if (!isOnce(specs.map(modemKey))) throw new InvalidArgumentError('Each modem once, please.');
  return specs;
}

const modemKey = (spec: ModemSpec) => (spec.program === 'gammu' ? spec.device : `mm:${spec.imei}`);

function parseModem(text: string): ModemSpec {
  const [found, slot, gammu, device, , imei] = SPEC.exec(text) ?? [];
  if (found === undefined) throw new InvalidArgumentError(`It must look like ${MODEM_EXAMPLE}.`);
  if (gammu !== undefined && device !== undefined) return { slot: Number(slot), program: 'gammu', device };
  return { slot: Number(slot), program: 'mm', imei: imei ?? null };
}

/** Formats modems as text that `parseModems` accepts. */
export function modemsText(specs: readonly ModemSpec[]): string {
  return specs
    .map((spec) => {
      const { slot, program } = spec;
      if (spec.program === 'gammu') return `${slot}=${program}:${spec.device}`;
      return spec.imei === null ? `${slot}=${program}` : `${slot}=${program}:${spec.imei}`;
    })
    .join(',');
}

/** The modems of ModemManager, in the order of their IMEI. @throws RelayError `no_modem` */
export async function specsHere(path: string): Promise<readonly ModemSpec[]> {
  const { modems, problem } = await listModems(path);
  const imeis = modems.flatMap(({ imei }) => (imei === null ? [] : [imei])).sort();
  if (imeis.length > 0) return imeis.map((imei, at) => ({ slot: at + 1, program: 'mm', imei }));
  const why = problem === null ? 'ModemManager knows no modem' : problem;
  throw new RelayError('no_modem', `No modem is named, and ${why}`);
}
