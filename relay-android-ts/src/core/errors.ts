/** Table of all errors that a user of the agent may get, with exit code and next step. */

interface RelayErrorEntry {
  /** Process exit code: 1 unexpected, 2 invalid input, 4 refused in this state, 5 not reachable. */
  readonly exit: 1 | 2 | 4 | 5;
  readonly message: string;
  readonly hint: string;
}

export const ERRORS = {
  invalid_input: {
    exit: 2,
    message: 'The input is not valid',
    hint: 'Run the same command with --help: it shows examples.',
  },
  no_platform: {
    exit: 2,
    message: 'This is neither a phone with Termux nor a computer whose GSM modems were named',
    hint:
      'On a phone: install Termux and Termux:API. With a GSM modem: --platform modem, or --modems SLOT=MODEM. ' +
      'To try Kashbox without a phone: --platform simulator, which reads SMS from files and sends none.',
  },
  not_paired: {
    exit: 4,
    message: 'The agent is not paired yet',
    hint:
      'Make a code on the server, with `kashbox devices enroll` for a new phone, with `kashbox devices rotate NAME` ' +
      'for one that it knows; then run `kashbox-relay pair`, or `install` with the link.',
  },
  unpaired: {
    exit: 4,
    message: 'this phone is not paired any more; run kashbox-relay pair',
    hint: 'Make a new code on the server with `kashbox devices rotate NAME`; what is queued here is kept until then.',
  },
  pairing_refused: {
    exit: 4,
    message: 'The pairing code is wrong, used or expired',
    hint: 'Make a new one on the server with `kashbox devices rotate NAME`; a code works once, for 10 minutes.',
  },
  already_running: {
    exit: 4,
    message: 'Another agent is already running in this home folder',
    hint: 'Use that one, or choose another folder with --home.',
  },
  untrusted_server: {
    exit: 4,
    message: 'The certificate of the server is not the one that is trusted here',
    hint: 'Compare it with the fingerprint that the server shows, then pair again with --fingerprint or --ca.',
  },
  unreachable: {
    exit: 5,
    message: 'The server cannot be reached',
    hint: 'Check the network and that `kashbox daemon` is running.',
  },
  server_error: {
    exit: 5,
    message: 'The server could not take the request',
    hint: 'It is tried again by itself; look at the log of the daemon if it stays so.',
  },
  no_receipt: {
    exit: 5,
    message: 'The answer is not proven to be that of Kashbox',
    hint:
      'The SMS stay queued and are tried again. Update Kashbox on the server if it is older than this agent; else ' +
      'look what answers in its place: a proxy, a firewall, the sign-in page of a network.',
  },
  no_modem: {
    exit: 4,
    message: 'No GSM modem is named, and none is found',
    hint: 'Say which one: --modems 1=gammu:/dev/serial/by-id/… (the folder lists them), or 1=mm for the one that ModemManager has.',
  },
  not_termux: {
    exit: 4,
    message: 'This is not Termux on an Android phone',
    hint:
      'On a phone: install Termux from F-Droid and run it there. On a computer with GSM modems: ' +
      '`kashbox-relay install --modem`, and for doctor say which: --modems 1=gammu:/dev/serial/by-id/…',
  },
  not_one_file: {
    exit: 4,
    message: 'Only the one file kashbox-relay.mjs can install itself',
    hint: 'Fetch it from the server: https://<address of the server>/relay/kashbox-relay.mjs',
  },
  not_root: {
    exit: 4,
    message: 'Only root may do this',
    hint: 'Run the same line again with `sudo` in front. With --dry-run it only shows what it would do.',
  },
  no_systemd: {
    exit: 4,
    message: 'systemd is not there, and the service needs it',
    hint: 'Use Debian or a system like it; elsewhere `kashbox-relay run --modems …` works, kept running by you.',
  },
  no_gammu: {
    exit: 4,
    message: 'The program gammu-smsd is not there',
    hint: 'Install it: `sudo apt install gammu-smsd`. Then run the same line again.',
  },
  no_modem_manager: {
    exit: 4,
    message: 'The program mmcli of ModemManager is not there',
    hint: 'Install it: `sudo apt install modemmanager`. Then run the same line again.',
  },
  out_of_sight: {
    exit: 4,
    message: 'The service cannot see a program that it needs',
    hint:
      'A service sees nothing of /home, /root and /tmp. Install Node for the whole computer (its path is then ' +
      '/usr/bin/node), and run the one file kashbox-relay.mjs, which copies itself.',
  },
  command_failed: {
    exit: 4,
    message: 'A command of the installation has failed',
    hint: 'Repair what it says, then run the same line again: it goes on from there.',
  },
  service_not_started: {
    exit: 4,
    message: 'Everything is installed, but the agent has not started',
    hint: 'See what it says: `journalctl -u kashbox-relay -n 50`, and: `sudo kashbox-relay doctor`',
  },
  not_started: {
    exit: 4,
    message: 'Everything is installed, but the agent has not started',
    hint: 'See what it says: kashbox-relay run',
  },
  other_user: {
    exit: 4,
    message: 'The home folder belongs to another user',
    hint: 'Run the same line again with `sudo` in front.',
  },
  storage_failed: {
    exit: 5,
    message: 'The home folder cannot be read or written',
    hint: 'Check free space and permissions of the home folder.',
  },
  internal: {
    exit: 1,
    message: 'Something unexpected went wrong',
    hint: 'Run again with --log-json and report what it prints.',
  },
} as const satisfies Record<string, RelayErrorEntry>;

export type RelayErrorCode = keyof typeof ERRORS;

/** An error of the table; its text may be made more precise by the thrower, but never names a secret. */
export class RelayError extends Error {
  override readonly name = 'RelayError';
  readonly exit: number;
  readonly hint: string;

  constructor(
    readonly code: RelayErrorCode,
    message: string = ERRORS[code].message,
    cause?: unknown,
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.exit = ERRORS[code].exit;
    this.hint = ERRORS[code].hint;
  }
}

/** Maximum length of a problem that the server accepts, in characters. */
export const MAX_PROBLEM = 200;

/** Thrown by an inbox that knows the problem. `problem` contains no SMS text and no phone number. */
export class InboxError extends Error {
  /** `detail` is for the log, and says what to do. */
  constructor(
    readonly problem: string,
    detail: string,
  ) {
    super(detail);
  }
}

/**
 * @returns one short line, for the phone and the server, about why SMS cannot be read; for errors other than
 * InboxError only the code, never the text
 */
export function describeInboxError(error: unknown): string {
  if (error instanceof InboxError) return error.problem.slice(0, MAX_PROBLEM);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return `cannot take in SMS${typeof code === 'string' ? ` (${code})` : ''}`;
}

/** The text of whatever was thrown, for logs. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
