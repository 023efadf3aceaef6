/** `install --modem` and its `uninstall`: the agent as a service of a computer with GSM modems. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ERRORS, RelayError, type RelayErrorCode } from '../../core/errors.js';
import { asObject, parseJson } from '../../core/shape.js';
import { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { runProgram, shortText } from '../../ports/programs.js';
import { waitFor } from '../context.js';
import { type ModemSpec, modemsText } from '../modems.js';
import { pairOnce } from '../paired-server.js';
import {
  chosenModems,
  loadComputerFacts,
  type Machine,
  machineAt,
  obstacle,
  programOn,
  warnings,
} from './computer.js';
import {
  type ComputerFacts,
  modemPlan,
  PATHS,
  removalCommands,
  SERVICE_HOME,
  SERVICE_USER,
} from './modem-plan.js';
import { type Command, commandLines, describePlan, removePaths, writePlan } from './plan.js';

/** A slow computer needs some time to start Node. */
const START_MS = 60_000;
const LOOK_MS = 200;
const COMMAND_LIMIT_MS = 120_000;
const PAIR_LIMIT_MS = 60_000;
const FOLDER_MODE = 0o755;

export interface ComputerOptions {
  readonly home?: string;
  readonly dryRun?: boolean;
  readonly modems?: readonly ModemSpec[];
  /** Everything is written beneath this folder, and no command runs. */
  readonly root?: string;
}

/** Installs the agent. Idempotent: existing parts stay or are updated. */
export async function installOnComputer(link: string | undefined, options: ComputerOptions): Promise<string> {
  if (options.home !== undefined)
    throw new RelayError('invalid_input', `--home is for phones; here the home is ${SERVICE_HOME}`);
  const machine = machineAt(options.root);
  const modems = await chosenModems(options.modems, machine);
  if (options.dryRun === true) return showPlan(modems, machine);
  if (machine.root !== '') return writeImage(modems, machine);
  if (process.getuid?.() !== 0) throw new RelayError('not_root');
  return setUp(link, await loadComputerFacts(modems, machine), machine, new Home(SERVICE_HOME));
}

async function showPlan(modems: readonly ModemSpec[], machine: Machine): Promise<string> {
  const facts = await loadComputerFacts(modems, machine);
  const refusal = machine.root === '' ? obstacle(facts, machine) : null;
  const told = machine.root === '' ? await warnings(facts, machine) : [];
  return [
    describePlan(modemPlan(facts)),
    ...(refusal === null ? [] : ['', `It would refuse to: ${refusal.message}.`, `  ${refusal.hint}`]),
    ...careful(told),
  ].join('\n');
}

async function writeImage(modems: readonly ModemSpec[], machine: Machine): Promise<string> {
  const plan = modemPlan(await loadComputerFacts(modems, machine));
  await writePlan(plan, { root: machine.root, folderMode: FOLDER_MODE });
  return [
    `Everything is written beneath ${machine.root}. No command was run, and nothing was paired.`,
    `Still to be run in there:`,
    ...commandLines([...plan.prepare, ...plan.start]),
    `And when it has started as a computer: sudo kashbox-relay pair 'kashbox://pair?…'`,
  ].join('\n');
}

/** Separate function so that a test can run it with another root, other programs and other facts. */
export async function setUp(
  link: string | undefined,
  facts: ComputerFacts,
  machine: Machine,
  home: Home,
): Promise<string> {
  const refusal = obstacle(facts, machine);
  if (refusal !== null) throw refusal;
  const plan = modemPlan(facts);
  await writePlan(plan, { root: machine.root, folderMode: FOLDER_MODE });
  await runAll(plan.prepare, machine);
  const server = await pairOnce(home, link, (text) => pairAsService(text, machine));
  await runAll(plan.start, machine);
  const told = await warnings(facts, machine);
  return [
    `Paired with ${server}.`,
    await started(facts.hasSystemd, home),
    `Modems: ${modemsText(facts.modems)}. The log of the agent: journalctl -u kashbox-relay`,
    ...careful(told),
    '',
    'Then see whether all is well: sudo kashbox-relay doctor',
  ].join('\n');
}

async function started(hasSystemd: boolean, home: Home): Promise<string> {
  if (!hasSystemd) return 'systemd does not run here now: the agent starts with the computer.';
  const pid = await waitFor(Date.now() + START_MS, LOOK_MS, () => lockHolder(home.lockPath));
  if (pid === null) throw new RelayError('service_not_started');
  return `The agent runs (process ${pid}) and starts with the computer.`;
}

/** Pairs as the service's user: in the service's folder, a symbolic link could redirect root's writes. */
async function pairAsService(link: string, machine: Machine): Promise<void> {
  const launcher = join('/', machine.root, PATHS.launcher);
  const env = { PATH: machine.path };
  const end = await runProgram(launcher, { args: ['pair', link, '--json'], limitMs: PAIR_LIMIT_MS, env });
  if (end.kind === 'ended' && end.code === 0) return;
  const { code, message } = asObject(asObject(parseJson(end.kind === 'ended' ? end.stdout : '')).error);
  const isKnown = (name: unknown): name is RelayErrorCode => typeof name === 'string' && name in ERRORS;
  if (isKnown(code)) throw new RelayError(code, String(message));
  throw failed(['kashbox-relay', 'pair'], end.kind === 'ended' ? end.stderr : end.kind);
}

async function runAll(commands: readonly Command[], machine: Machine): Promise<void> {
  for (const command of commands) {
    const [name, ...args] = command;
    const file = programOn(machine, name);
    if (file === undefined) throw failed(command, `${name} is not there`);
    const end = await runProgram(file, { args, limitMs: COMMAND_LIMIT_MS });
    if (end.kind !== 'ended') throw failed(command, end.kind === 'hung' ? 'it does not end' : end.reason);
    if (end.code !== 0) throw failed(command, end.stderr);
  }
}

function failed(command: Command, why: string): RelayError {
  const [line = ''] = commandLines([command]);
  return new RelayError('command_failed', `The command has failed: ${line.trim()} (${shortText(why)})`);
}

function careful(told: readonly string[]): string[] {
  return told.length === 0 ? [] : ['', 'Careful:', ...told.map((line) => `  - ${line}`)];
}

/** True if the agent is installed as a systemd service of a computer. */
export function isOnComputer(root = ''): boolean {
  return existsSync(join('/', root, PATHS.unit));
}

/** Removes everything that `install --modem` installed, except the pairing, the queue and the user. */
export async function uninstallFromComputer(options: ComputerOptions): Promise<string> {
  const machine = machineAt(options.root);
  const isHere = machine.root === '';
  const hasSystemd = isHere && existsSync('/run/systemd/system');
  const hasUdev = isHere && programOn(machine, 'udevadm') !== undefined;
  const { stop, paths, after } = removalCommands(hasSystemd, hasUdev);
  if (isHere && process.getuid?.() !== 0) throw new RelayError('not_root');
  if (isHere && isOnComputer()) await runAll(stop, machine);
  await removePaths(paths, machine.root);
  if (isHere) await runAll(after, machine);
  return [
    'The agent is stopped and does not start with the computer any more.',
    `Kept: the pairing and all SMS that are not delivered yet, in ${SERVICE_HOME}, and the user ${SERVICE_USER}.`,
    'If this computer is not to be used again, run `kashbox devices revoke` on the server.',
  ].join('\n');
}
