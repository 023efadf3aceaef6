/**
 * Runs mmcli, the command of ModemManager, and classifies its results. mmcli exits with code 1 and one line
 * on stderr for every error, so errors are classified by their text (of version 1.20.4).
 */
import type { Clock, Log } from '../../../core/ports.js';
import { asObject } from '../../../core/shape.js';
import { findProgram, type ProgramEnd, runProgram, shortText, splitPath } from '../../../ports/programs.js';

export type MmcliFailure =
  /** The program is not installed. */
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

/** Time limits and intervals for ModemManager, ms. */
export const MANAGER_TIMES = {
  /** Default time after which a call of mmcli is considered hung. */
  callLimitMs: 15_000,
  /** Time for which a D-Bus object is assumed to be the same modem. */
  trustMs: 30_000,
  /** Time limit for disabling or enabling a modem. */
  enableLimitMs: 60_000,
  /** Interval between two attempts to enable it, after a failure. */
  enableEveryMs: 60_000,
  /** Interval between two scans for modems by ModemManager, while this one is missing. */
  scanEveryMs: 300_000,
  /** Calls in a row without an answer, until the modem is reset. */
  silences: 3,
  /** Time until the next reset; doubled after each reset that did not help. */
  resetGapMs: 300_000,
  maxResetGapMs: 3_600_000,
  /** Time without a received or removed SMS before the storage is read again. */
  resyncQuietMs: 20_000,
  /** Interval between two such readings. */
  resyncGapMs: 300_000,
  /** Interval while parts of an SMS are missing, because ModemManager may have missed them. */
  resyncPartsGapMs: 60_000,
  /** Time after which an incomplete SMS is returned as it is, if it has a text. */
  partsMs: 600_000,
  /**
   * Age, by the time of the SMS centre, at which incomplete parts are removed. ModemManager before 1.24 joins
   * them with parts of another SMS that has the same reference by chance.
   */
  stalePartsMs: 86_400_000,
  /** Age at which an SMS that was sent, or only created, is removed. */
  leftoverMs: 1_200_000,
  /** Time after which an SMS is read again: ModemManager may have reused its object for another one. */
  believeMs: 60_000,
  /** Time limit for sending; ModemManager itself waits 5 minutes for each part. */
  sendLimitMs: 120_000,
  /** Time for which an unknown result is polled. */
  lateMs: 360_000,
};
export type ManagerTimes = typeof MANAGER_TIMES;

/** Dependencies shared by the parts of a ModemManager modem. */
export interface Manager {
  readonly mmcli: Mmcli;
  readonly clock: Clock;
  readonly log: Log;
  readonly times: ManagerTimes;
}

/** Locale that allows Bangla: mmcli ignores an option that is not valid text in its locale. */
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
    this.path = splitPath(path);
  }

  /** Absolute path of a program; undefined if it is not installed. */
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

/** One line for users, without numbers or texts of SMS. */
export const problemOfFailure = ({ kind }: MmcliFailure): string => PROBLEMS[kind];

/** Problem with the output of the program, for the log. */
export function describeFailure(failure: MmcliFailure): string {
  const problem = problemOfFailure(failure);
  return 'message' in failure ? `${problem}: ${failure.message}` : problem;
}

/** Nested object; empty if absent. */
export function part(fields: MmcliFields, name: string): MmcliFields {
  return asObject(fields[name]);
}

/** Text of a field; null for `--`, which mmcli prints for an absent or unknown value. */
export function getText(fields: MmcliFields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '--' && value !== '' ? value : null;
}

export function getList(fields: MmcliFields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function judge(end: ProgramEnd): MmcliAnswer {
  if (end.kind === 'hung') return { kind: 'hung' };
  if (end.kind === 'failed') return { kind: 'failed', message: end.reason };
  if (end.code === 0) return { kind: 'answered', stdout: end.stdout };
  return judgeWords(shortText(end.stderr) || `exit code ${end.code ?? 'none'}`);
}

/** Classifies an error message of mmcli or of the bus. */
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
    return asObject(JSON.parse(escaped));
  } catch {
    return undefined;
  }
}
