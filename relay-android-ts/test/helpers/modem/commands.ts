/** What a modem answers to AT commands when nothing is scripted. */
import { tpduLength } from './pdu.js';
import type { ScriptedModem } from './scripted-modem.js';
import type { Memory, Stored } from './storage.js';

type Answer = (modem: ScriptedModem, argument: string) => readonly string[];

const OK = ['OK'];
const NO_SUCH_PLACE = ['+CMS ERROR: 321'];
const FIXED: Readonly<Record<string, readonly string[]>> = {
  AT: OK,
  'AT+CGMI': ['Kashbox', 'OK'],
  'AT+CGMM': ['Scripted GSM', 'OK'],
  'AT+CGMR': ['1.0', 'OK'],
  'AT+CGSN': ['490154203237518', 'OK'],
  'AT+CMGF?': ['+CMGF: 0', 'OK'],
  'AT+CMGF=?': ['+CMGF: (0)', 'OK'],
  'AT+CSCS=?': ['+CSCS: ("GSM","IRA","UCS2")', 'OK'],
  'AT+CSCS?': ['+CSCS: "GSM"', 'OK'],
  'AT+CPMS=?': ['+CPMS: ("SM","ME","SR"),("SM","ME"),("SM","ME")', 'OK'],
  'AT+CSCA?': ['+CSCA: "+8801700000600",145', 'OK'],
  'AT+CGATT?': ['+CGATT: 1', 'OK'],
  'AT+CGREG?': ['+CGREG: 2,1,"1A2B","3C4D"', 'OK'],
  'AT+COPS?': ['+COPS: 0,2,"47001"', 'OK'],
  'AT+CUSD=?': ['+CUSD: (0-2)', 'OK'],
};
/** Only their setting is asked for, and it changes nothing that is played here. */
const AGREED =
  /^AT(Z|&F|E1?|V1|\+(CMEE|CSCS|CMGF|CSMS|CREG|CGREG|COPS|CUSD|CFUN|CSDH|CMMS|CLIP|CRC|CSCA)(=.*)?)$/;

const counts = (modem: ScriptedModem, memory: Memory): string =>
  `${modem.storage.of(memory).size},${modem.storage.sizes[memory]}`;

function pdusOf(
  head: (place: number, stored: Stored) => string,
  entries: readonly (readonly [number, Stored])[],
) {
  return entries.flatMap(([place, stored]) => {
    const lines = [`${head(place, stored)},,${tpduLength(stored.pdu)}`, stored.pdu];
    stored.isRead = true;
    return lines;
  });
}

const COMMANDS: readonly (readonly [RegExp, Answer])[] = [
  [
    /^ATE([01])$/,
    (modem, on) => {
      modem.hasEcho = on === '1';
      return OK;
    },
  ],
  [/^AT\+CIMI$/, ({ sim }) => (sim === 'READY' ? ['470010000000001', 'OK'] : ['+CME ERROR: 10'])],
  [/^AT\+CPIN\?$/, ({ sim }) => (sim === 'ABSENT' ? ['+CME ERROR: 10'] : [`+CPIN: ${sim}`, 'OK'])],
  [
    /^AT\+CPIN=/,
    (modem) => {
      modem.pinTries += 1;
      return ['+CME ERROR: 16'];
    },
  ],
  [/^AT\+CSQ$/, ({ signal }) => [`+CSQ: ${signal},99`, 'OK']],
  [/^AT\+CREG\?$/, ({ registration }) => [`+CREG: 2,${registration},"1A2B","3C4D"`, 'OK']],
  [
    /^AT\+CNMI=\?$/,
    ({ plan }) => [`+CNMI: (0-3),(0-3),(0,2),(${plan.storesReports === true ? '0,2' : '0-2'}),(0,1)`, 'OK'],
  ],
  [
    /^AT\+CNMI=([\d,]+)$/,
    (modem, values) => {
      modem.indications = values.split(',').map(Number);
      return OK;
    },
  ],
  [
    /^AT\+CPMS\?$/,
    (modem) => {
      const { memory } = modem;
      return [
        `+CPMS: "${memory}",${counts(modem, memory)},"SM",${counts(modem, 'SM')},"SM",${counts(modem, 'SM')}`,
        'OK',
      ];
    },
  ],
  [
    /^AT\+CPMS="(\w\w)".*$/,
    (modem, memory) => {
      if (modem.sim !== 'READY') return ['+CMS ERROR: 310'];
      modem.memory = memory as Memory;
      return [`+CPMS: ${counts(modem, modem.memory)},${counts(modem, 'SM')},${counts(modem, 'SM')}`, 'OK'];
    },
  ],
  [
    /^AT\+CMGL=4$/,
    ({ storage, memory }) => [
      ...pdusOf((place, { isRead }) => `+CMGL: ${place},${isRead ? 1 : 0}`, storage.list(memory)),
      'OK',
    ],
  ],
  [
    /^AT\+CMGR=(\d+)$/,
    ({ storage, memory }, place) => {
      const stored = storage.of(memory).get(Number(place));
      if (stored === undefined) return NO_SUCH_PLACE;
      return [...pdusOf((_, { isRead }) => `+CMGR: ${isRead ? 1 : 0}`, [[Number(place), stored]]), 'OK'];
    },
  ],
  [
    /^AT\+CMGD=(\d+).*$/,
    (modem, place) => {
      if (!modem.storage.of(modem.memory).delete(Number(place))) return NO_SUCH_PLACE;
      setTimeout(() => modem.flush(), 1);
      return OK;
    },
  ],
];

/** @returns all that is written, line ends too */
export function answer(modem: ScriptedModem, command: string): string {
  const given = lines(modem, command.trim());
  return given.map((line) => `\r\n${line}\r\n`).join('');
}

function lines(modem: ScriptedModem, command: string): readonly string[] {
  const fixed = FIXED[command];
  if (fixed !== undefined) return fixed;
  for (const [pattern, of] of COMMANDS) {
    const match = pattern.exec(command);
    if (match !== null) return of(modem, match[1] ?? '');
  }
  return AGREED.test(command) ? OK : ['ERROR'];
}
