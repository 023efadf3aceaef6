/**
 * Runs the programs of Termux:API, one at a time, each within a limit: they hang for ever when Android has
 * frozen the app, and Android allows only a few processes.
 */
import { fieldsOf, parseJson } from '../../core/shape.js';
import { findProgram, foldersOf, type ProgramEnd, runProgram, shortText } from '../../ports/programs.js';

interface TermuxCall {
  readonly program: string;
  readonly args?: readonly string[];
  /** For stdin; nothing unless given. */
  readonly input?: string;
  /** SMS go before health and notifications. */
  readonly urgent?: boolean;
  /** Breaks the call off, running or not. */
  readonly stop?: AbortSignal | undefined;
}

type CallResult =
  | { readonly kind: 'answered'; readonly stdout: string }
  /** Termux:API refused: an object `{"error":…}` with exit code 0. */
  | { readonly kind: 'refused'; readonly message: string }
  /** There is no such program. */
  | { readonly kind: 'missing' }
  | { readonly kind: 'hung' }
  | { readonly kind: 'failed'; readonly reason: string };

export type Failure = Exclude<CallResult, { kind: 'answered' }>;

/** What a call may take (0.05 to 4 s, or for ever). */
const CALL_LIMIT_MS = 15_000;

interface Waiting {
  readonly call: TermuxCall;
  readonly resolve: (result: CallResult) => void;
}

export class TermuxCalls {
  private readonly path: readonly string[];
  private readonly urgent: Waiting[] = [];
  private readonly later: Waiting[] = [];
  private isBusy = false;

  /** `path` is the PATH in which programs are looked for. */
  constructor(
    path: string | undefined,
    private readonly limitMs = CALL_LIMIT_MS,
  ) {
    this.path = foldersOf(path);
  }

  /** Never rejects: every result is a kind of CallResult. */
  run(call: TermuxCall): Promise<CallResult> {
    return new Promise((resolve) => {
      (call.urgent === true ? this.urgent : this.later).push({ call, resolve });
      if (!this.isBusy) void this.work();
    });
  }

  /** The fields of the object that a program prints; none if there is no answer. */
  async fields(program: string): Promise<Readonly<Record<string, unknown>>> {
    const result = await this.run({ program });
    return result.kind === 'answered' ? fieldsOf(parseJson(result.stdout)) : {};
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

  private async runNow(call: TermuxCall): Promise<CallResult> {
    if (call.stop?.aborted === true) return { kind: 'failed', reason: 'stopped' };
    const file = findProgram(this.path, call.program);
    if (file === undefined) return { kind: 'missing' };
    // It runs in /, where nothing matches the `*` of a number, which the script for sending expands without
    // quotes.
    const end = await runProgram(file, { ...call, limitMs: this.limitMs });
    return end.kind === 'ended' ? judge(end) : end;
  }
}

/** For people, with what to do about it. */
export function explain(program: string, failure: Failure): string {
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

function judge({ code, stdout, stderr }: Extract<ProgramEnd, { kind: 'ended' }>): CallResult {
  // Not parsed for nothing: a list of SMS may be long.
  const isList = stdout.trimStart().startsWith('[');
  const { API_ERROR: apiError, error: message = apiError } = isList ? {} : fieldsOf(parseJson(stdout));
  if (typeof message === 'string') return { kind: 'refused', message: shortText(message) };
  if (code === 0) return { kind: 'answered', stdout };
  // A partial list contains SMS, and this text is logged.
  const words = shortText(stderr) || (isList ? '' : shortText(stdout));
  return { kind: 'failed', reason: `exit code ${code ?? 'none'}${words === '' ? '' : `: ${words}`}` };
}
