/**
 * The one table of what a person who runs the agent may meet, with its exit code and the next step.
 * Knows nothing of how an error is shown.
 */

interface ErrorEntry {
  /** Process exit code: 1 unexpected, 2 invalid input, 4 refused in this state, 5 not reachable. */
  readonly exit: 1 | 2 | 4 | 5;
  readonly message: string;
  readonly hint: string;
}

const entry = (exit: ErrorEntry['exit'], message: string, hint: string): ErrorEntry => ({
  exit,
  message,
  hint,
});

export const ERRORS = {
  invalid_input: entry(2, 'The input is not valid', 'See `kashbox-relay --help` for examples.'),
  not_paired: entry(
    4,
    'This phone is not paired yet',
    'Make a code with `kashbox devices enroll` on the server, then run `kashbox-relay pair`.',
  ),
  unpaired: entry(
    4,
    'this phone is not paired any more; run kashbox-relay pair',
    'Make a new code on the server with `kashbox devices enroll`; what is queued here is kept until then.',
  ),
  pairing_refused: entry(
    4,
    'The pairing code is wrong, used or expired',
    'Make a new one with `kashbox devices enroll`; a code works once, for 10 minutes.',
  ),
  already_running: entry(
    4,
    'Another agent is already running in this home folder',
    'Use that one, or choose another folder with --home.',
  ),
  untrusted_server: entry(
    4,
    'The certificate of the server is not the one this phone trusts',
    'Compare it with the fingerprint that the server shows, then pair again with --fingerprint or --ca.',
  ),
  unreachable: entry(
    5,
    'The server cannot be reached',
    'Check the network and that `kashbox daemon` is running.',
  ),
  server_error: entry(
    5,
    'The server could not take the request',
    'It is tried again by itself; look at the log of the daemon if it stays so.',
  ),
  no_receipt: entry(
    5,
    'The answer is not proven to be that of Kashbox',
    'The SMS stay queued and are tried again. Update Kashbox on the server if it is older than this agent; else ' +
      'look what answers in its place: a proxy, a firewall, the sign-in page of a network.',
  ),
  not_termux: entry(
    4,
    'This is not Termux on an Android phone',
    'Install Termux from F-Droid on the phone and run it there; elsewhere there are pair, run and status.',
  ),
  not_one_file: entry(
    4,
    'Only the one file kashbox-relay.mjs can install itself',
    'Fetch it from the server: https://<address of the server>/relay/kashbox-relay.mjs',
  ),
  not_started: entry(
    4,
    'Everything is installed, but the agent has not started',
    'See what it says: kashbox-relay run',
  ),
  storage_failed: entry(
    5,
    'The home folder cannot be read or written',
    'Check free space and permissions of the home folder.',
  ),
  internal: entry(
    1,
    'Something unexpected went wrong',
    'Run again with --log-json and report what it prints.',
  ),
} as const satisfies Record<string, ErrorEntry>;

export type ErrorCode = keyof typeof ERRORS;

/** An error of the table; its text may be made more precise by the thrower, but never names a secret. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly code: ErrorCode;
  readonly exit: number;
  readonly hint: string;

  constructor(code: ErrorCode, message?: string, cause?: unknown) {
    super(message ?? ERRORS[code].message, cause === undefined ? {} : { cause });
    this.code = code;
    this.exit = ERRORS[code].exit;
    this.hint = ERRORS[code].hint;
  }
}

/** The text of whatever was thrown, for logs. */
export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
