/**
 * Runs mmcli, the command of ModemManager, and says in few kinds what came of it. mmcli ends with code 1 and
 * one line on stderr whatever is wrong, so that the kinds are told by its words (of version 1.20.4).
 */
import { fieldsOf } from '../../../core/shape.js';
import { findProgram, foldersOf, type ProgramEnd, runProgram, shortText } from '../../../ports/programs.js';

export type Failure =
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

export type Answer = { readonly kind: 'answered'; readonly stdout: string } | Failure;
export type Fields = Readonly<Record<string, unknown>>;
type Read = { readonly kind: 'answered'; readonly fields: Fields } | Failure;

const CALL_LIMIT_MS = 15_000;

/** The locale by which Bangla passes: mmcli ignores an option that is no text in its locale. */
const ENV = { LC_ALL: 'C.UTF-8' };

const FAILURES: readonly (readonly [RegExp, Exclude<Failure['kind'], 'failed' | 'forbidden'>])[] = [
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

  /**
   * @param path the PATH in which the programs are looked for
   * @param limitMs until a call counts as hung, unless it has a limit of its own
   */
  constructor(
    path: string | undefined,
    private readonly limitMs = CALL_LIMIT_MS,
  ) {
    this.path = foldersOf(path);
  }

  /** The whole path of a program, or undefined. */
  find(program: string): string | undefined {
    return findProgram(this.path, program);
  }

  /** One call. Never rejects. */
  async run(args: readonly string[], limitMs = this.limitMs): Promise<Answer> {
    const file = this.find('mmcli');
    if (file === undefined) return { kind: 'missing' };
    return judge(await runProgram(file, { args, limitMs, env: ENV }));
  }

  /** The object that a call prints as JSON. */
  async read(args: readonly string[]): Promise<Read> {
    const answer = await this.run(['-J', ...args]);
    if (answer.kind !== 'answered') return answer;
    const fields = parseFields(answer.stdout);
    return fields === undefined
      ? { kind: 'failed', message: 'mmcli printed no JSON' }
      : { kind: 'answered', fields };
  }
}

/** For people, in one line without numbers or texts of SMS. */
export function problemOfFailure(failure: Failure): string {
  switch (failure.kind) {
    case 'missing':
      return 'mmcli is not there: install the package modemmanager';
    case 'not_running':
      return 'ModemManager is not running';
    case 'no_modem':
      return 'the modem is not plugged in';
    case 'several':
      return 'there are several modems: choose one by its IMEI';
    case 'no_sms':
      return 'the SMS is not there any more';
    case 'not_enabled':
      return 'the modem is not ready yet';
    case 'no_messaging':
      return 'ModemManager finds no SMS in this modem';
    case 'forbidden':
      return 'ModemManager does not allow this user to use the modem';
    case 'hung':
      return 'ModemManager does not answer';
    case 'modem_hung':
      return 'the modem does not answer';
    case 'failed':
      return 'ModemManager reports an error';
    default:
      return failure satisfies never;
  }
}

/** With what the program said, for the log. */
export function detailOf(failure: Failure): string {
  const problem = problemOfFailure(failure);
  return 'message' in failure ? `${problem}: ${failure.message}` : problem;
}

/** A part of an object; none of what is not there. */
export function part(fields: Fields, name: string): Fields {
  return fieldsOf(fields[name]);
}

/** A text; null for `--`, which mmcli prints for what is absent or unknown. */
export function textIn(fields: Fields, name: string): string | null {
  const value = fields[name];
  return typeof value === 'string' && value !== '--' && value !== '' ? value : null;
}

export function listIn(fields: Fields, name: string): readonly string[] {
  const value = fields[name];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}

function judge(end: ProgramEnd): Answer {
  if (end.kind === 'hung') return { kind: 'hung' };
  if (end.kind === 'failed') return { kind: 'failed', message: end.reason };
  if (end.code === 0) return { kind: 'answered', stdout: end.stdout };
  return judgeWords(shortText(end.stderr) || `exit code ${end.code ?? 'none'}`);
}

/** What an error means, in the words of mmcli or of the bus. */
export function judgeWords(message: string): Failure {
  if (FORBIDDEN.test(message)) return { kind: 'forbidden', message };
  const kind = FAILURES.find(([words]) => words.test(message))?.[1];
  return kind === undefined ? { kind: 'failed', message } : { kind };
}

/** mmcli 1.20 leaves the character 0x1f as it is, which JSON does not allow. */
function parseFields(stdout: string): Fields | undefined {
  const escaped = stdout
    .trim()
    .replace(/[\x00-\x1f]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
  try {
    return fieldsOf(JSON.parse(escaped));
  } catch {
    return undefined;
  }
}
