/** The doctor on a computer with GSM modems: programs, modems, service, then the same as on a phone. */
import { loadManagerVersion } from '../../platforms/modem/modem-manager/modem-facts.js';
import { hasCode } from '../../ports/node-files.js';
import type { Home } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { runProgram, shortText } from '../../ports/programs.js';
import {
  installedModems,
  isActive,
  isOldManager,
  loadComputerFacts,
  type Machine,
  OLD_MANAGER,
  programOn,
  querySystemd,
  STOP_DEBIAN_GAMMU,
} from '../install/computer.js';
import { isOnComputer } from '../install/modem-install.js';
import { modemPlan, PATHS, SERVICE, SERVICE_USER } from '../install/modem-plan.js';
import { isOther } from '../install/plan.js';
import type { ModemSpec } from '../modems.js';
import { COMPUTER, checkNode, type DoctorCheck, fail, ok, warn } from './check.js';
import { checkModem, checkSim, userHere, userNamed } from './doctor-modem.js';
import { checkServer } from './doctor-server.js';

const INSTALL = 'sudo kashbox-relay install --modem';
const NODE = 'Install Node 20.19 or newer for the whole computer, as its package nodejs or from nodejs.org.';
const VERSION_LIMIT_MS = 10_000;
const NOT_TOLD = 'unknown, since systemd does not answer';
/** The agent writes at least once a minute. */
const STALE_MS = 5 * 60_000;

/** Yields the checks in the order in which problems should be repaired; the SMS self-test is not included. */
export async function* examineComputer(
  modems: readonly ModemSpec[],
  home: Home,
  machine: Machine,
): AsyncGenerator<DoctorCheck> {
  // Nothing of what follows could be told without it.
  await home.readConfig();
  yield checkNode(process.versions.node, NODE);
  yield* await programChecks(modems, machine);
  const agent = await lockHolder(home.lockPath);
  const isService = isOnComputer(machine.root);
  const user = isService ? await userNamed(SERVICE_USER, machine) : userHere();
  if (user === null) yield fail('user', `the user ${SERVICE_USER} is not there`, `Run: ${INSTALL}`);
  for (const spec of modems) {
    yield* await checkModem(spec, { machine, agent, user: user ?? userHere() });
  }
  yield* isService ? await serviceChecks(modems, machine) : [NO_SERVICE];
  yield* await toldChecks(modems, home, agent);
  yield* await checkServer(home, COMPUTER);
}

const NO_SERVICE = warn(
  'service',
  'not installed: the agent does not start with the computer',
  `Run: ${INSTALL}`,
);

async function programChecks(modems: readonly ModemSpec[], machine: Machine): Promise<DoctorCheck[]> {
  const uses = (name: ModemSpec['program']) => modems.some(({ program }) => program === name);
  return [
    ...(uses('gammu') ? [await gammuCheck(machine)] : []),
    ...(uses('mm') ? [await managerCheck(machine)] : []),
  ];
}

async function gammuCheck(machine: Machine): Promise<DoctorCheck> {
  const name = 'gammu-smsd';
  const remedy = 'Run: sudo apt install gammu-smsd';
  const file = programOn(machine, name);
  if (file === undefined) return fail(name, 'is not there', remedy);
  const end = await runProgram(file, { args: ['--version'], limitMs: VERSION_LIMIT_MS });
  const version = end.kind === 'ended' ? /version (\d[\d.]*\d)/.exec(end.stdout)?.[1] : undefined;
  if (version !== undefined) return ok(name, `version ${version}`);
  return fail(name, `does not work (${end.kind === 'ended' ? shortText(end.stderr) : end.kind})`, remedy);
}

async function managerCheck({ path }: Machine): Promise<DoctorCheck> {
  const name = 'ModemManager';
  const version = await loadManagerVersion(path);
  if (version === null)
    return fail(name, 'its program mmcli is not there', 'Run: sudo apt install modemmanager');
  if (isOldManager(version)) return warn(name, `version ${version} ${OLD_MANAGER.split('. ')[0]}`, USE_GAMMU);
  return ok(name, `version ${version}`);
}

const USE_GAMMU = `Where the modem has a serial port: ${INSTALL} --modems 1=gammu:/dev/serial/by-id/…`;

async function serviceChecks(modems: readonly ModemSpec[], machine: Machine): Promise<DoctorCheck[]> {
  const checks = [await filesCheck((await installedModems(machine.root)) ?? modems, machine)];
  const state = await querySystemd('is-active', SERVICE, machine);
  const start = await querySystemd('is-enabled', SERVICE, machine);
  const log = 'its log: journalctl -u kashbox-relay -n 50';
  if (state === 'active') checks.push(ok('service', `runs; ${log}`));
  else
    checks.push(fail('service', `is ${state ?? NOT_TOLD}`, `sudo systemctl restart kashbox-relay; ${log}`));
  if (start === 'enabled') checks.push(ok('start with the computer', 'enabled'));
  else
    checks.push(
      fail('start with the computer', `is ${start ?? NOT_TOLD}`, `sudo systemctl enable ${SERVICE}`),
    );
  if (await isActive('gammu-smsd.service', machine))
    checks.push(
      warn('gammu-smsd.service', "Debian's own service runs, and may take a modem away", STOP_DEBIAN_GAMMU),
    );
  return checks;
}

/** Checks that every installed file exists and matches this version. */
async function filesCheck(modems: readonly ModemSpec[], machine: Machine): Promise<DoctorCheck> {
  const name = 'files of the service';
  const others: string[] = [];
  for (const file of modemPlan(await loadComputerFacts(modems, machine)).files) {
    // The folder of polkit's rules is closed to others than root.
    const isChanged = await isOther(file, machine.root).catch((error: unknown) => !hasCode(error, 'EACCES'));
    if (isChanged) others.push(file.path);
  }
  if (others.length === 0) return ok(name, `as this version writes them, such as ${PATHS.unit}`);
  return warn(name, `${others.join(' and ')} are missing or of another version`, `Run: ${INSTALL}`);
}

/** Checks the state that the running agent last wrote: its SIMs and its problem. */
async function toldChecks(
  modems: readonly ModemSpec[],
  home: Home,
  agent: number | null,
): Promise<DoctorCheck[]> {
  const { sims, problem } = await home.readState();
  const isFresh = agent !== null && sims !== null && Date.now() - sims.at < STALE_MS;
  const readings = isFresh ? sims.readings : [];
  const checks = modems.map(({ slot }) =>
    checkSim(
      slot,
      readings.find((one) => one.slot === slot),
    ),
  );
  if (agent === null || problem === null) return checks;
  return [
    ...checks,
    fail('what the agent says', problem.message, 'Its log: journalctl -u kashbox-relay -n 50'),
  ];
}
