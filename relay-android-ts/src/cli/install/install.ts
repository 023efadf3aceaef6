/** `kashbox-relay install` and `uninstall`: the agent becomes a part of the phone, or leaves it. */
import { existsSync } from 'node:fs';
import { chmod, readFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RelayError } from '../../core/errors.js';
import { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { makeFolder, readIfThere, writeFileDurably } from '../../ports/node-files.js';
import type { Home } from '../../ports/node-home.js';
import { openHome } from '../context.js';
import { pair } from '../pair.js';
import { probe } from './probe.js';
import { startAgent, stopAgent } from './running-agent.js';
import { agentLog, type Plan, placesOf, planScripts, simSubsIn } from './termux-places.js';
import { TWO_SIMS_BY_HAND } from './two-sims.js';

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
] as const;

/** Can be run as often as one likes: what is there already is left, or brought up to date. */
export async function install(link: string | undefined, options: InstallOptions): Promise<string> {
  const plan = await planOf(options);
  const source = ownFile();
  if (options.dryRun === true) return describePlan(plan, source);
  const home = openHome(options.home);
  const server = await pairOnce(home, link);
  const isNew = await writeAll(plan, source);
  if (isNew) await stopAgent(home);
  const pid = await startAgent(home, plan.places);
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
  const { places, home: homePath } = await planOf(options);
  if (existsSync(places.service) && existsSync(places.sv)) {
    await new TermuxCalls(dirname(places.sv)).run({
      program: 'sv',
      args: ['force-shutdown', places.service],
    });
  }
  await stopAgent(openHome(options.home));
  const log = agentLog(homePath);
  for (const path of [places.service, places.boot, places.launcher, dirname(places.program), log]) {
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
  const places = placesOf(process.env);
  const launcher = (await readIfThere(places.launcher))?.toString('utf8') ?? '';
  return {
    places,
    node: process.execPath,
    home: openHome(options.home).path,
    simSubs: options.simSubs ?? simSubsIn(launcher),
    hasServices: existsSync(places.startServices),
  };
}

/** The bundle knows itself by its name; from the package there would be more than one file to copy. */
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
      // The line was pasted twice: its code is used up, and the key that it brought is good.
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
  const { program } = plan.places;
  const files = [{ path: program, text: await readFile(source, 'utf8') }, ...planScripts(plan)];
  let isNew = false;
  for (const { path, text } of files) {
    if ((await readIfThere(path))?.toString('utf8') !== text) {
      isNew = true;
      await makeFolder(dirname(path));
      await writeFileDurably(path, text);
    }
    if (path !== program) await chmod(path, 0o700);
  }
  // Whoever had switched the service off wants it now.
  await rm(`${plan.places.service}/down`, { force: true });
  return isNew;
}

function describePlan(plan: Plan, source: string): string {
  const copy = [`Would copy ${source}`, `        to ${plan.places.program}`];
  const scripts = planScripts(plan).flatMap(({ path, text }) => [
    '',
    `Would write ${path}:`,
    ...text
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ]);
  return [...copy, ...scripts, '', `Would then run ${plan.places.boot}`].join('\n');
}
