/** Builds the command line and maps results to exit codes. Contains no rules. */
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { PLATFORMS } from './cli/choose-platform.js';
import { type CommonOptions, common, print, type Terminal } from './cli/context.js';
import { addDeadLetters } from './cli/dead-letters.js';
import { modemsOption } from './cli/modems.js';
import { type PairOptions, pair } from './cli/pair.js';
import { addPhoneCommands } from './cli/phone-commands.js';
import { type RunOptions, run } from './cli/run.js';
import { status } from './cli/status.js';
import { errorMessage, RelayError } from './core/errors.js';
import { APP_VERSION } from './version.js';

const MIN_POLL_MS = 50;
const MAX_POLL_MS = 60_000;

/** Runs one command. Returns the exit code: 0 done, 1 unexpected, 2 input, 4 refused, 5 not reachable. */
export async function main(argv: readonly string[], terminal: Terminal = process): Promise<number> {
  // Files of this program are private, also in a folder that something else made.
  process.umask(0o077);
  const json = argv.includes('--json');
  try {
    await buildProgram(terminal).parseAsync([...argv]);
    // A failed check is not an error of the command.
    return typeof terminal.exitCode === 'number' ? terminal.exitCode : 0;
  } catch (error) {
    if (!(error instanceof CommanderError)) return showError(terminal, asRelayError(error), json);
    if (error.exitCode === 0) return 0;
    // Commander has already printed to stderr; with --json one value is still due on stdout.
    return json ? showError(terminal, new RelayError('invalid_input', error.message), json) : 2;
  }
}

function buildProgram(terminal: Terminal): Command {
  const { stdout, stderr } = terminal;
  const program = new Command('kashbox-relay')
    .description('Hands the SMS of this phone to a Kashbox server, losing none and sending none twice.')
    .version(APP_VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .showHelpAfterError('Run with --help for examples.');
  addPair(program, terminal);
  addRun(program, terminal);
  addStatus(program, terminal);
  addDeadLetters(program, terminal);
  addPhoneCommands(program, terminal);
  return program;
}

function addPair(program: Command, terminal: Terminal): void {
  const command = program
    .command('pair')
    .summary('connect this phone to a server')
    .description(
      'Connects this phone to a server with the one-time code that `kashbox devices enroll` shows.',
    )
    .argument('[link]', 'what the QR code holds: kashbox://pair?url=…&code=…&fp=…')
    .option('--url <url>', 'address of the server, https only')
    .option('--code <code>', 'the one-time code, valid for 10 minutes')
    .option('--fingerprint <sha256>', 'SHA-256 of the certificate, for a server with a self-signed one')
    .option('--ca <file>', 'PEM file of the authority that signed the certificate')
    .action(async (link: string | undefined, options: PairOptions) =>
      print(terminal, await pair(link, options)),
    );
  const examples = `Examples:
  With the text of the QR code, in quotes because of the & in it:
    kashbox-relay pair 'kashbox://pair?url=https%3A%2F%2F192.168.0.5%3A8443&code=ABCD-EFGH&fp=…'
  With a code read aloud, for a server on the internet:
    kashbox-relay pair --url https://pay.example.com --code ABCD-EFGH`;
  common(command, { examples });
}

function addRun(program: Command, terminal: Terminal): void {
  const platform = new Option(
    '--platform <name>',
    'what receives the SMS (default: termux in Termux, modem with --modems, simulator with --inbox or --stdin)',
  );
  const inbox = new Option(
    '--inbox <dir>',
    'for the simulator: folder in which SMS arrive as .json or .ndjson files (default: HOME/inbox)',
  );
  const simSubs = new Option(
    '--sim-subs <slot=id,…>',
    "Android's subscription id of each SIM, for phones with two, for example 1=3,2=4",
  );
  const command = program
    .command('run')
    .summary('take in SMS and deliver them, until stopped')
    .description('Takes in SMS, keeps them on disk and delivers them to the server, until SIGTERM or Ctrl-C.')
    .addOption(platform.choices(PLATFORMS))
    .addOption(inbox.conflicts('stdin'))
    .option(
      '--stdin',
      'for the simulator: SMS arrive on stdin, one JSON object a line; each is answered when it is on disk',
    )
    .option('--once', 'deliver what there is, then end; exit code 5 if the server cannot be reached')
    .addOption(simSubs.env('KASHBOX_RELAY_SIM_SUBS').argParser(parseSimSubs))
    .addOption(modemsOption())
    .option(
      '--poll-ms <n>',
      'how often to look into the inbox, in milliseconds (default: 500 on a phone or modem, 250 for a folder)',
      parsePollMs,
    )
    .option('--log-json', 'log lines for machines')
    .option('--log-file <file>', 'log into this file instead of stderr; at least its last 256 KiB are kept')
    .action((options: RunOptions) => run(options, terminal));
  const examples = `Examples:
  Play a phone that sends no SMS; put a file into the folder under another name, then rename it:
    kashbox-relay run --platform simulator --inbox ./sms
  Hand over one SMS and end:
    echo '{"sender":"bKash","body":"…","received_at":"2026-01-31T10:15:00+06:00"}' | kashbox-relay run --stdin --once
  Use the GSM modem that ModemManager has, or a modem by its device file through gammu-smsd:
    kashbox-relay run --platform modem
    kashbox-relay run --modems 1=gammu:/dev/serial/by-id/usb-…-if00-port0`;
  common(command, { json: false, examples });
}

function addStatus(program: Command, terminal: Terminal): void {
  const command = program
    .command('status')
    .summary('show pairing, queue and last error')
    .description(
      'Shows whom this phone is paired with, what waits, and what went wrong. Works beside a running agent.',
    )
    .action(async (options: CommonOptions) => print(terminal, await status(options)));
  common(command, { examples: 'Example:\n  kashbox-relay status --json' });
}

function parsePollMs(text: string): number {
  const ms = Number(text);
  if (!Number.isInteger(ms) || ms < MIN_POLL_MS || ms > MAX_POLL_MS) {
    throw new InvalidArgumentError(`It must be a whole number from ${MIN_POLL_MS} to ${MAX_POLL_MS}.`);
  }
  return ms;
}

/** `1=3,2=4`: slots as people count them, each with its subscription id. */
function parseSimSubs(text: string): Map<number, number> {
  const pairs = text.split(',').map((pair) => /^([1-9])=(\d{1,9})$/.exec(pair.trim()));
  const subs = new Map(pairs.map((found) => [Number(found?.[1]), Number(found?.[2])]));
  if (pairs.includes(null) || subs.size < pairs.length || new Set(subs.values()).size < subs.size) {
    throw new InvalidArgumentError('It must look like 1=3,2=4, each slot and each id once.');
  }
  return subs;
}

/** An error of a file system call is the home folder's; anything else unknown is ours. */
function asRelayError(error: unknown): RelayError {
  if (error instanceof RelayError) return error;
  if (error instanceof Error && 'syscall' in error)
    return new RelayError('storage_failed', error.message, error);
  return new RelayError('internal', errorMessage(error), error);
}

function showError(terminal: Terminal, error: RelayError, json: boolean): number {
  const { code, message, hint } = error;
  if (json) print(terminal, JSON.stringify({ error: { code, message, hint } }));
  else terminal.stderr.write(`Error: ${message}\n  ${hint}\n`);
  return error.exit;
}
