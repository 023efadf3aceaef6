/**
 * Parses the log of gammu-smsd, which contains all communication between it and the modem. Its lines contain
 * SMS texts and numbers: only what is listed here may go into the agent's own log.
 */
import type { Registration, SimState } from '../../../core/health.js';
import { type PduFacts, parsePdu } from './pdu-facts.js';
import type { UndecodedSms } from './stuck-sms.js';

export type Sign =
  /** The modem has answered how many SMS it holds: it works. */
  | { readonly kind: 'polled' }
  /** A script has ended: an SMS or a report is in the spool, or a failed SMS is out of the outbox. */
  | { readonly kind: 'stored' }
  | { readonly kind: 'pdu'; readonly facts: PduFacts }
  /** The modem returned an SMS that gammu cannot decode; gammu will begin with it again. */
  | { readonly kind: 'undecoded'; readonly sms: UndecodedSms }
  /** `isOfSms`: the modem answers all the same. */
  | { readonly kind: 'problem'; readonly problem: string; readonly isOfSms: boolean }
  /** The device no longer exists or accepts no data, or gammu is about to sleep after repeated errors. */
  | { readonly kind: 'gone' }
  /** gammu has read a file of the outbox and begins to send it. */
  | { readonly kind: 'begun'; readonly name: string }
  /** The PDU of a part goes to the modem. */
  | { readonly kind: 'given' }
  /**
   * The modem's answer to a part: status 0 and a reference, an error number, or -1. `isError`: the modem
   * reported an error; a textual error has status 0.
   */
  | { readonly kind: 'part'; readonly status: number; readonly reference: number; readonly isError: boolean }
  | { readonly kind: 'sent'; readonly name: string }
  /** gammu could not read a file of the outbox. */
  | { readonly kind: 'rejected'; readonly name: string }
  | { readonly kind: 'failed' }
  | { readonly kind: 'stuck' };

const REGISTRATIONS: readonly Registration[] = ['none', 'home', 'searching', 'denied', 'unknown', 'roaming'];
const STRONGEST = 31;
const NO_SIM = new Set([10, 13, 15]);

const NOT_OPENED = 'the modem cannot be opened';
const IN_USE = 'another program uses the modem';
/** EBUSY of Linux. */
const BUSY = 16;

/** Error messages of gammu, and the text that users see for each. */
const PROBLEMS: readonly (readonly [RegExp, string])[] = [
  [/DEVICENOPERMISSION/, 'the agent may not open the modem: its user must be in the group dialout'],
  [/^Error .*\(DEVICE\w+\[|^Can't open device/, NOT_OPENED],
  [/^Error at init connection/, 'the modem does not answer'],
  [/^ERROR: phone requires not supported code type/, 'the SIM is blocked and wants its PUK'],
  [/^Warning: no code in config/, 'the SIM wants its PIN'],
  [/^Error getting security status/, 'there is no SIM, or it cannot be read'],
  [/^Error getting SMS/, 'the modem does not hand over its SMS; if it stays so, empty it in a phone'],
  [/^Error processing SMS/, 'gammu cannot store an SMS'],
  [/^Error deleting SMS/, 'the modem does not delete SMS'],
  [/^Error writing to the device|^Failed to open pipe|^Cannot save/, 'gammu cannot write'],
];

export class GammuLog {
  registration: Registration | null = null;
  sim: SimState | null = null;
  signal: number | null = null;
  private manufacturer: string | null = null;
  private product: string | null = null;
  /** The last command whose answer is being read. */
  private command = '';
  private lastResult = '';
  private memory = '';
  /** PDU in the answer to the last command; empty if there is none. */
  private lastPdu = '';
  private hasFailed = false;
  /** Number of the system's last error, as gammu has named it. */
  private systemError = 0;
  private prefix = /^$/;

  /** `tell` takes what the lines mean. */
  constructor(private readonly tell: (sign: Sign) => void) {}

  get model(): string | null {
    const words = [this.manufacturer, this.product].filter((word) => word !== null);
    return words.length === 0 ? null : words.join(' ');
  }

  /**
   * Resets the state for a new gammu process. Only lines with the prefix of this `pid` are parsed: a line
   * inside the text of an SMS does not have it.
   */
  begin(pid: number): void {
    this.prefix = new RegExp(`^\\w{3} [\\d/]{10} [\\d:]{8} gammu-smsd\\[${pid}\\]: (.*)$`);
    this.registration = null;
    this.signal = null;
    this.sim = null;
    this.hasFailed = false;
    this.systemError = 0;
    this.command = '';
  }

  line(line: string): void {
    const text = this.prefix.exec(line)?.[1];
    if (text === undefined) return;
    const gammu = /^gammu: (.*)$/.exec(text)?.[1];
    if (gammu === undefined) this.own(text);
    else this.library(gammu);
  }

  private own(text: string): void {
    const begun = /^New message to send: (\S+)$/.exec(text)?.[1];
    if (begun !== undefined) this.tell({ kind: 'begun', name: begun });
    const part = /^SMS sent on device: .* status=(-?\d+), reference=(-?\d+)$/.exec(text);
    if (part !== null) {
      const isError = /^(ERROR|\+CM[ES] ERROR)/.test(this.lastResult);
      this.tell({ kind: 'part', status: Number(part[1]), reference: Number(part[2]), isError });
    }
    const [, to, name] = /^(?:Renamed|Copied) \S+ to \S*\/(sent|error)\/([^/\s]+)$/.exec(text) ?? [];
    if (name !== undefined) this.tell({ kind: to === 'sent' ? 'sent' : 'rejected', name });
    if (/^(Can not move file|Can not remove file|Error moving message)/.test(text))
      this.tell({ kind: 'stuck' });
    if (/^Error (sending SMS|getting send status)/.test(text)) this.hasFailed = true;
    if (/^Process (finished|failed|killed)/.test(text)) {
      this.tell({ kind: this.hasFailed ? 'failed' : 'stored' });
      this.hasFailed = false;
    }
    if (/^Error .*\(DEVICE\w+\[|^Going to 30 seconds sleep/.test(text)) this.tell({ kind: 'gone' });
    const sms = /^Error getting SMS/.test(text) ? this.undecoded : null;
    if (sms !== null) {
      this.tell({ kind: 'undecoded', sms });
      return;
    }
    const named = PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
    const problem = named === NOT_OPENED && this.systemError === BUSY ? IN_USE : named;
    if (problem !== undefined) this.tell({ kind: 'problem', problem, isOfSms: isOfSms(text) });
  }

  /** The SMS that was read last; null if it was not read completely. */
  private get undecoded(): UndecodedSms | null {
    const place = /^AT\+CMGR=(\d+)$/.exec(this.command)?.[1];
    const isWhole = this.lastResult === 'OK' && this.lastPdu !== '' && this.memory !== '';
    if (place === undefined || !isWhole) return null;
    return { memory: this.memory, place: Number(place), pdu: this.lastPdu };
  }

  /** Parses lines of an answer, which the log contains as `2 "+CSQ: 20,99"`; line 1 is the command. */
  private library(text: string): void {
    if (text === 'Sending SMS') this.tell({ kind: 'given' });
    const error = /^\[System error +- .*, (\d+), "/.exec(text)?.[1];
    if (error !== undefined) this.systemError = Number(error);
    // Else an error of the command before would count for one that the modem does not answer.
    if (text.startsWith('SENDING frame')) this.lastResult = this.lastPdu = '';
    const [, number, line = ''] = /^(\d+) "(.*)"$/.exec(text) ?? [];
    if (number === undefined) return;
    if (number === '1' && line.startsWith('AT')) {
      this.command = line;
      this.memory = /^AT\+CPMS="(\w\w)"/.exec(line)?.[1] ?? this.memory;
    }
    if (/^[\dA-F]{2,}$/i.test(line)) this.lastPdu = line;
    if (/^(OK|ERROR|\+CM[ES] ERROR.*)$/.test(line)) this.lastResult = line;
    this.fact(line);
    const facts = parsePdu(line);
    if (facts !== null) this.tell({ kind: 'pdu', facts });
  }

  private fact(line: string): void {
    const { command } = this;
    const [, signal] = /^\+CSQ: ?(\d+)/.exec(line) ?? [];
    if (signal !== undefined)
      this.signal = Number(signal) <= STRONGEST ? Math.round((Number(signal) * 100) / STRONGEST) : null;
    const [, registration] =
      (command === 'AT+CREG?' ? /^\+CREG: ?\d,(\d)/ : /^\+CREG: ?(\d)(?:,"|$)/).exec(line) ?? [];
    if (registration !== undefined) this.registration = REGISTRATIONS[Number(registration)] ?? 'unknown';
    if (command === 'AT+CPIN?') this.sim = simOf(line) ?? this.sim;
    // With two storages, as gammu asks once all is set up.
    const isPoll = /^AT\+CPMS="\w+","/.test(command);
    if (isPoll && /^\+CPMS: ?\d/.test(line)) this.tell({ kind: 'polled' });
    if (!/^[A-Z^+]+[:+]|^(OK|ERROR|AT.*)$/.test(line) && line !== '') {
      if (command === 'AT+CGMM') this.product ??= line;
      if (command === 'AT+CGMI') this.manufacturer ??= line;
    }
  }
}

const isOfSms = (text: string): boolean =>
  /^Error (getting|processing|deleting) SMS/.test(text) && !text.includes('(DEVICE');

function simOf(line: string): SimState | null {
  const state = /^\+CPIN: ?(.+)$/.exec(line)?.[1]?.trim();
  if (state !== undefined)
    return state === 'READY' ? 'ready' : /P[IU][NK]/.test(state) ? 'locked' : 'unknown';
  const error = /^\+CM[ES] ERROR: ?(\d+)$/.exec(line)?.[1];
  if (error === undefined) return null;
  return NO_SIM.has(Number(error)) ? (error === '10' ? 'absent' : 'failed') : 'unknown';
}
