/**
 * Runs mmcli, the command of ModemManager, and says in few kinds what came of it. mmcli ends with code 1 and
 * one line on stderr whatever is wrong, so that the kinds are told by its words (of version 1.20.4).
 */
import type { Clock, Log } from '../../../core/ports.js';
import { fieldsOf } from '../../../core/shape.js';
import { findProgram, foldersOf, type ProgramEnd, runProgram, shortText } from '../../../ports/programs.js';

export type MmcliFailure =
  /** There is no such program. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'not_running' }
  | { readonly kind: 'no_modem' }
  /** There are several, and none is chosen. */
  | { readonly kind: 'several' }
  | { readonly kind: 'no_sms' }
  | { readonly kind: 'not_enabled' }
  | { readonly kind: 'no_messaging' }
  | { readonly kind: 'forbidden'; readonly message: string }
  | { readonly kind: 'hung' }
  /** The modem did not answer ModemManager. */
  | { readonly kind: 'modem_hung' }
  | { readonly kind: 'failed'; readonly message: string };

export type MmcliAnswer = { readonly kind: 'answered'; readonly stdout: string } | MmcliFailure;
export type MmcliFields = Readonly<Record<string, unknown>>;
type MmcliRead = { readonly kind: 'answered'; readonly fields: MmcliFields } | MmcliFailure;

/** How long things with ModemManager take, in milliseconds. */
export const MANAGER_TIMES = {
  /** Until a call of mmcli counts as hung, unless it has a limit of its own. */
  callLimitMs: 15_000,
  /** How long the object of a modem is believed to be that of the same modem. */
  trustMs: 30_000,
  /** What disabling or enabling a modem may take. */
  enableLimitMs: 60_000,
  /** Between two tries to enable it, after one that has failed. */
  enableEveryMs: 60_000,
  /** Between two searches of ModemManager for modems, while this one is missing. */
  scanEveryMs: 300_000,
  /** Calls in a row without an answer, until the modem is reset. */
  silences: 3,
  /** Until the next reset; doubled with each that did not help. */
  resetGapMs: 300_000,
  maxResetGapMs: 3_600_000,
  /** How long no SMS must have come or been removed before the storage is read again. */
  resyncQuietMs: 20_000,
  /** Between two of these readings. */
  resyncGapMs: 300_000,
  /** The same while parts of an SMS are missing, which may have been overlooked. */
  resyncPartsGapMs: 60_000,
  /** After this an SMS whose parts have not all come is given as it is, if it has a text. */
  partsMs: 600_000,
  /**
   * After this, by the time of the SMS centre, parts without the others are removed. ModemManager before 1.24
   * joins them with parts of another SMS that happens to have the same reference.
   */
  stalePartsMs: 86_400_000,
  /** After this a sent SMS, or one that was created only, is removed. */
  leftoverMs: 1_200_000,
  /** After this an SMS is read again: ModemManager may have given its object to another one. */
  believeMs: 60_000,
  /** What handing over may take; ModemManager itself waits 5 minutes for each part. */
  sendLimitMs: 120_000,
  /** How long a result that was not known is waited for. */
  lateMs: 360_000,
};
export type ManagerTimes = typeof MANAGER_TIMES;

/** What every part of a modem of ModemManager works with. */
export interface Manager {
  readonly mmcli: Mmcli;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: ManagerTimes;
}

/** The locale by which Bangla passes: mmcli ignores an option that is no text in its locale. */
const ENV = { LC_ALL: 'C.UTF-8' };

const FAILURES: readonly (readonly [RegExp, Exclude<MmcliFailure['kind'], 'failed' | 'forbidden'>])[] = [
  [/Timeout was reached|Error\.(NoReply|TimedOut|Timeout)\b/, 'hung'],
  [/couldn't find the ModemManager process|couldn't get bus|couldn't create manager/, 'not_running'],
  [/DBus\.Error\.(ServiceUnknown|NameHasNoOwner)/, 'not_running'],
  [/couldn't find modem|no modems found|DBus\.Error\.Unknown(Object|Method)/, 'no_modem'],
  [/couldn't find SMS|No SMS found/, 'no_sms'],
  [/not enabled yet|not yet enabled|missing SMS list/, 'not_enabled'],
  [/no messaging capabilities/, 'no_messaging'],
  [/Serial\.ResponseTimeout|Serial command timed out/, 'modem_hung'],
];
const FORBIDDEN = /PolicyKit|Core\.Unauthorized|AccessDenied/;

export class Mmcli {
  private readonly path: readonly string[];

  /** @param path the PATH in which the programs are looked for */
  constructor(
    path: string | undefined,
    private readonly limitMs = MANAGER_TIMES.callLimitMs,
  ) {
    this.path = foldersOf(path);
  }

  /** The whole path of a program, or undefined. */
  find(program: string): string | undefined {
    return findProgram(this.path, program);
  }

  /** One call. Never rejects. */
  async run(args: readonly string[], limitMs = this.limitMs): Promise<MmcliAnswer> {
    const file = this.find('mmcli');
    if (file === undefined) return { kind: 'missing' };
    return judge(await runProgram(file, { args, limitMs, env: ENV }));
  }

  /** The object that a call prints as JSON. */
  async read(args: readonly string[]): Promise<MmcliRead> {
    const answer = await this.run(['-J', ...args]);
    if (answer.kind !== 'answered') return answer;
    const fields = parseFields(answer.stdout);
    return fields === undefined
      ? { kind: 'failed', message: 'mmcli printed no JSON' }
      : { kind: 'answered', fields };
  }
}

const PROBLEMS: Readonly<Record<MmcliFailure['kind'], string>> = {
  missing: 'mmcli is not there: install the package modemmanager',
  not_running: 'ModemManager is not running',
  no_modem: 'the modem is not plugged in',
  several: 'there are several modems: choose one by its IMEI',
  no_sms: 'the SMS is not there any more',
  not_enabled: 'the modem is not ready yet',
  no_messaging: 'ModemManager finds no SMS in this modem',
  forbidden: 'ModemManager does not allow this user to use the modem',
  hung: 'ModemManager does not answer',
  modem_hung: 'the modem does not answer',
  failed: 'ModemManager reports an error',
};

/** For people, in one line without numbers or texts of SMS. */
export const problemOfFailure = ({ kind }: MmcliFailure): string => PROBLEMS[kind];

/** With what the program said, for the log. */
export function detailOf(failure: MmcliFailure): string {
  const problem = problemOfFailure(failure);
  return 'message' in failure ? `${problem}: ${failure.message}` : problem;
}

/** A part of an object; none of what is not there. */
export function part(fields: MmcliFields, name: string): MmcliFields {
  return fieldsOf(fields[name]);
}

/** A text; null for `--`, which mmcli prints for what is absent or unknown. */
export function textIn(fields: MmcliFields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '--' && value !== '' ? value : null;
}

export function listIn(fields: MmcliFields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function judge(end: ProgramEnd): MmcliAnswer {
  if (end.kind === 'hung') return { kind: 'hung' };
  if (end.kind === 'failed') return { kind: 'failed', message: end.reason };
  if (end.code === 0) return { kind: 'answered', stdout: end.stdout };
  return judgeWords(shortText(end.stderr) || `exit code ${end.code ?? 'none'}`);
}

/** What an error means, in the words of mmcli or of the bus. */
export function judgeWords(message: string): MmcliFailure {
  if (FORBIDDEN.test(message)) return { kind: 'forbidden', message };
  const kind = FAILURES.find(([words]) => words.test(message))?.[1];
  return kind === undefined ? { kind: 'failed', message } : { kind };
}

/** mmcli 1.20 leaves the character 0x1f as it is, which JSON does not allow. */
function parseFields(stdout: string): MmcliFields | undefined {
  const escaped = stdout
    .trim()
    .replace(/[\x00-\x1f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  try {
    return fieldsOf(JSON.parse(escaped));
  } catch {
    return undefined;
  }
}
