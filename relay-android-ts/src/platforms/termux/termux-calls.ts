/**
 * Runs the programs of Termux:API, one at a time, each with a time limit: they hang for ever if Android has
 * frozen the app, and Android allows only a few processes.
 */
import { asObject, parseJson } from '../../core/shape.js';
import { findProgram, type ProgramEnd, runProgram, shortText, splitPath } from '../../ports/programs.js';

interface TermuxCall {
  readonly program: string;
  readonly args?: readonly string[];
  /** Text for stdin; default: empty. */
  readonly input?: string;
  /** SMS go before health and notifications. */
  readonly urgent?: boolean;
  /** Breaks the call off, running or not. */
  readonly stop?: AbortSignal | undefined;
}

type TermuxResult =
  | { readonly kind: 'answered'; readonly stdout: string }
  /** Termux:API refused: an object `{"error":…}` with exit code 0. */
  | { readonly kind: 'refused'; readonly message: string }
  /** The program is not installed. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'hung' }
  | { readonly kind: 'failed'; readonly reason: string };

export type TermuxFailure = Exclude<TermuxResult, { kind: 'answered' }>;

/** Time limit of a call (usually 0.05 to 4 s; it can hang for ever). */
const CALL_LIMIT_MS = 15_000;

interface WaitingCall {
  readonly call: TermuxCall;
  readonly resolve: (result: TermuxResult) => void;
}

export class TermuxCalls {
  private readonly path: readonly string[];
  private readonly urgent: WaitingCall[] = [];
  private readonly later: WaitingCall[] = [];
  private isBusy = false;

  /** `path` is the PATH in which programs are looked for. */
  constructor(
    path: string | undefined,
    private readonly limitMs = CALL_LIMIT_MS,
  ) {
    this.path = splitPath(path);
  }

  /** Never rejects: every result is a kind of TermuxResult. */
  run(call: TermuxCall): Promise<TermuxResult> {
    return new Promise((resolve) => {
      (call.urgent === true ? this.urgent : this.later).push({ call, resolve });
      if (!this.isBusy) void this.work();
    });
  }

  /** Fields of the JSON object that a program prints; empty if there is no answer. */
  async fields(program: string): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.run({ program });
    return result.kind === 'answered' ? asObject(parseJson(result.stdout)) : {};
  }

  private async work(): Promise<void> {
    this.isBusy = true;
    for (;;) {
      const next = this.urgent.shift() ?? this.later.shift();
      if (next === undefined) break;
      next.resolve(await this.runNow(next.call));
    }
    this.isBusy = false;
  }

  private async runNow(call: TermuxCall): Promise<TermuxResult> {
    if (call.stop?.aborted === true) return { kind: 'failed', reason: 'stopped' };
    const file = findProgram(this.path, call.program);
    if (file === undefined) return { kind: 'missing' };
    // It runs in /, where nothing matches the `*` of a number, which the script for sending expands without
    // quotes.
    const end = await runProgram(file, { ...call, limitMs: this.limitMs });
    return end.kind === 'ended' ? judge(end) : end;
  }
}

/** Describes a failure and its remedy for users. */
export function explain(program: string, failure: TermuxFailure): string {
  switch (failure.kind) {
    case 'missing':
      return `${program} is not there: run "pkg install termux-api" and install the app Termux:API`;
    case 'refused':
      return `Termux:API refuses ${program}: ${failure.message}`;
    case 'hung':
      return (
        `${program} did not answer in time: open the app Termux:API once, and switch battery ` +
        'optimisation off for it and for Termux'
      );
    case 'failed':
      return `${program} failed: ${failure.reason}`;
    default:
      return failure satisfies never;
  }
}

function judge({ code, stdout, stderr }: Extract<ProgramEnd, { kind: 'ended' }>): TermuxResult {
  // Not parsed for nothing: a list of SMS may be long.
  const isList = stdout.trimStart().startsWith('[');
  const { API_ERROR: apiError, error: message = apiError } = isList ? {} : asObject(parseJson(stdout));
  if (typeof message === 'string') return { kind: 'refused', message: shortText(message) };
  if (code === 0) return { kind: 'answered', stdout };
  // A partial list contains SMS, and this text is logged.
  const words = shortText(stderr) || (isList ? '' : shortText(stdout));
  return { kind: 'failed', reason: `exit code ${code ?? 'none'}${words === '' ? '' : `: ${words}`}` };
}
