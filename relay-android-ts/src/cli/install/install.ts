/** `kashbox-relay install` and `uninstall`: sets the agent up as a service of the phone, or removes it. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RelayError } from '../../core/errors.js';
import { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { makeFolder, textIfThere, writeFileDurably } from '../../ports/node-files.js';
import type { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { openHome, waitFor } from '../context.js';
import { pair } from '../pair.js';
import { probe } from '../paired-server.js';
import {
  agentLog,
  type InstallPaths,
  installPaths,
  isOther,
  type Plan,
  planScripts,
  simSubsIn,
} from './termux-paths.js';

/** runsvdir looks for new services every 5 s, and an old phone needs some to start Node. */
const START_MS = 60_000;
const STOP_MS = 30_000;
const LOOK_MS = 200;

export interface InstallOptions {
  readonly home?: string;
  readonly dryRun?: boolean;
  /** Subscription id of each SIM, `1=3,2=4`. */
  readonly simSubs?: string;
}

/** Android lets no program do these. */
const BY_HAND = [
  'Settings > Apps > Termux:API > Permissions: allow SMS, Contacts and Phone.',
  '  If they are grey: ⋮ (top right) > Allow restricted settings, then again.',
  'Settings > Apps > Termux > Battery: Unrestricted. The same for Termux:API and Termux:Boot.',
  'Open the app Termux:Boot once.',
  'In the app Messages: Settings > RCS chats > off. No program can read RCS messages.',
];

/** How a SIM's subscription id is found, and how it is told: no program can find it out. */
export const FIND_SUB = 'termux-sms-list -t inbox -l 1 --message-selection="sub_id = 1"';
export const TELL_SUBS = 'kashbox-relay install --sim-subs 1=…,2=…';
const TWO_SIMS_BY_HAND = [
  'If the phone has two SIMs: say which is which, or every payment waits for a person.',
  '  Send an SMS to SIM 1, and try sub_id = 1, 2, 3 and so on until this shows it:',
  `  ${FIND_SUB}`,
  `  The same for SIM 2. Then, with the two numbers: ${TELL_SUBS}`,
];

/** Safe to repeat: existing parts stay or are updated. */
export async function install(link: string | undefined, options: InstallOptions): Promise<string> {
  const plan = await planOf(options);
  const source = ownFile();
  if (options.dryRun === true) return describePlan(plan, source);
  const home = openHome(options.home);
  const server = await pairOnce(home, link);
  const isNew = await writeAll(plan, source);
  if (isNew) await stopAgent(home);
  const pid = await startAgent(home, plan.paths);
  if (pid === null) throw new RelayError('not_started');
  return [
    `Paired with ${server}.`,
    `The agent runs (process ${pid}) and starts with the phone.`,
    '',
    'Still to be done by hand, once:',
    ...[...BY_HAND, ...(plan.simSubs === null ? TWO_SIMS_BY_HAND : [])].map((line) =>
      line.startsWith(' ') ? `  ${line}` : `  - ${line}`,
    ),
    '',
    'Then see whether all is well: kashbox-relay doctor',
  ].join('\n');
}

/** Takes away what `install` has put there. The pairing and the queue stay. */
export async function uninstall(options: InstallOptions): Promise<string> {
  const { paths, home: homePath } = await planOf(options);
  if (existsSync(paths.service) && existsSync(paths.sv)) {
    await new TermuxCalls(dirname(paths.sv)).run({
      program: 'sv',
      args: ['force-shutdown', paths.service],
    });
  }
  await stopAgent(openHome(options.home));
  const log = agentLog(homePath);
  for (const path of [paths.service, paths.boot, paths.launcher, dirname(paths.program), log]) {
    await rm(path, { recursive: true, force: true });
  }
  return [
    'The agent is stopped and does not start with the phone any more.',
    `Kept: the pairing and all SMS that are not delivered yet, in ${homePath}.`,
    'If this phone is not to be used again, run `kashbox devices revoke` on the server.',
  ].join('\n');
}

/** @throws RelayError `not_termux` elsewhere than on a phone */
export async function planOf(options: InstallOptions): Promise<Plan> {
  const paths = installPaths(process.env);
  const launcher = (await textIfThere(paths.launcher)) ?? '';
  return {
    paths,
    node: process.execPath,
    home: openHome(options.home).path,
    simSubs: options.simSubs ?? simSubsIn(launcher),
    hasServices: existsSync(paths.startServices),
  };
}

/** The bundle is recognised by its name; the package has more than one file. */
function ownFile(): string {
  const file = fileURLToPath(import.meta.url);
  if (!file.endsWith('.mjs')) throw new RelayError('not_one_file');
  return file;
}

/** @returns whom the phone is paired with, for people. */
async function pairOnce(home: Home, link: string | undefined): Promise<string> {
  const before = await home.readConfig();
  if (link !== undefined) {
    await pair(link, { home: home.path }).catch(async (error: unknown) => {
      // The line was pasted twice: its code is used, but the key from it is valid.
      const isUsed = error instanceof RelayError && error.code === 'pairing_refused';
      const isGood = isUsed && before !== undefined && (await probe(before)).kind === 'well';
      if (!isGood) throw error;
    });
  }
  const config = await home.readConfig();
  if (config === undefined) throw new RelayError('not_paired');
  return `${config.url} as "${config.deviceName}"`;
}

/** @returns whether any of it was not there already, as it is now. */
async function writeAll(plan: Plan, source: string): Promise<boolean> {
  const { program } = plan.paths;
  const files = [{ path: program, text: await readFile(source, 'utf8') }, ...planScripts(plan)];
  let isNew = false;
  for (const file of files) {
    const { path, text } = file;
    if (await isOther(file)) {
      isNew = true;
      await makeFolder(dirname(path));
      await writeFileDurably(path, text);
    }
    if (path !== program) await chmod(path, 0o700);
  }
  // Enables a service that was switched off.
  await rm(`${plan.paths.service}/down`, { force: true });
  return isNew;
}

function describePlan(plan: Plan, source: string): string {
  const copy = [`Would copy ${source}`, `        to ${plan.paths.program}`];
  const scripts = planScripts(plan).flatMap(({ path, text }) => [
    '',
    `Would write ${path}:`,
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ]);
  return [...copy, ...scripts, '', `Would then run ${plan.paths.boot}`].join('\n');
}

/** Runs what Termux:Boot runs. @returns the agent's process id; null if none has come in time. */
async function startAgent(home: Home, paths: InstallPaths): Promise<number | null> {
  if ((await lockHolder(home.lockPath)) === null) {
    const child = spawn(paths.sh, [paths.boot], { detached: true, stdio: 'ignore' });
    child.on('error', () => {});
    child.unref();
  }
  return waitFor(Date.now() + START_MS, LOOK_MS, () => lockHolder(home.lockPath));
}

/** Ends the agent if there is one; what is queued stays. A supervisor may start the next at once. */
async function stopAgent(home: Home): Promise<void> {
  const pid = await lockHolder(home.lockPath);
  if (pid === null) return;
  process.kill(pid, 'SIGTERM');
  await waitFor(Date.now() + STOP_MS, LOOK_MS, async () =>
    (await lockHolder(home.lockPath)) === pid ? null : true,
  );
}
