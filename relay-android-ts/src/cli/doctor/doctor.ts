/** `kashbox-relay doctor`: checks the phone or the computer and prints each problem with its remedy. */
import { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { type CommonOptions, openHome, type Terminal } from '../context.js';
import { installedModems, machineAt } from '../install/computer.js';
import { isOnComputer } from '../install/modem-install.js';
import { SERVICE_HOME } from '../install/modem-plan.js';
import { planOf } from '../install/termux-install.js';
import type { ModemSpec } from '../modems.js';
import { type DoctorCheck, PHONE } from './check.js';
import { examineComputer } from './doctor-computer.js';
import * as phone from './doctor-phone.js';
import { checkServer } from './doctor-server.js';
import { checkOneSms, watchPhone, watchQueue } from './doctor-sms.js';

export interface DoctorOptions extends CommonOptions {
  /** False leaves the self-test out. */
  readonly sms: boolean;
  /** Of a computer. */
  readonly modems?: readonly ModemSpec[];
}

/** Asks the person for an SMS. */
type Ask = (where: string) => void;

const MARKS: Readonly<Record<DoctorCheck['state'], string>> = { ok: '✓', warn: '!', fail: '✗' };
/** Refused in this state. */
const EXIT_FAILED = 4;

/** @returns the exit code: 0 if nothing is wrong, else 4. Each result is printed at once. */
export async function doctor(options: DoctorOptions, { stdout, stderr }: Terminal): Promise<number> {
  const checks: DoctorCheck[] = [];
  const ask = (where: string): void => {
    stderr.write(`Now send an SMS to ${where}, from any phone. Waiting up to 2 minutes …\n`);
  };
  for await (const check of examine(options, ask)) {
    checks.push(check);
    if (options.json !== true) stdout.write(`${lines(check)}\n`);
  }
  const failed = checks.some(({ state }) => state === 'fail');
  if (options.json === true) stdout.write(`${JSON.stringify({ ok: !failed, checks })}\n`);
  else stdout.write(`\n${conclusion(checks)}\n`);
  return failed ? EXIT_FAILED : 0;
}

/** A computer is known by its modems, which the command line, the environment or the service names. */
async function* examine(options: DoctorOptions, ask: Ask): AsyncGenerator<DoctorCheck> {
  const modems = options.modems ?? (await installedModems());
  if (modems === undefined) yield* examinePhone(options, ask);
  else yield* examineModems(options, modems, ask);
}

/** In the order in which problems should be repaired. */
async function* examinePhone(options: DoctorOptions, ask: Ask): AsyncGenerator<DoctorCheck> {
  const plan = await planOf(options.home === undefined ? {} : { home: options.home });
  const home = openHome(options.home);
  const calls = new TermuxCalls(process.env.PATH);
  yield phone.checkNode(process.versions.node);
  yield await phone.checkApi(calls);
  yield await phone.checkSmsReading(calls);
  yield await phone.checkSims(calls, plan.simSubs);
  yield phone.SMS_SENDING;
  yield phone.BATTERY;
  yield await phone.checkWakeLock(calls);
  yield* await phone.checkStart(plan);
  yield* await checkServer(home, PHONE);
  yield phone.RCS;
  if (options.sms)
    yield await checkOneSms(
      home,
      (id) => watchPhone(calls, id),
      () => ask('this phone'),
    );
}

async function* examineModems(
  options: DoctorOptions,
  modems: readonly ModemSpec[],
  ask: Ask,
): AsyncGenerator<DoctorCheck> {
  const isService = isOnComputer() && process.env.KASHBOX_RELAY_HOME === undefined;
  const home = openHome(options.home ?? (isService ? SERVICE_HOME : undefined));
  // Nothing of what follows could be told without it.
  await home.readConfig();
  yield* examineComputer(modems, home, machineAt(undefined));
  if (options.sms)
    yield await checkOneSms(
      home,
      () => watchQueue(home),
      () => ask('a SIM in these modems'),
    );
}

function lines(check: DoctorCheck): string {
  const line = `${MARKS[check.state]} ${check.name}: ${check.message}`;
  return check.remedy === null ? line : `${line}\n    → ${check.remedy}`;
}

function conclusion(checks: readonly DoctorCheck[]): string {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  if (failed > 0) return `${failed} of ${checks.length} are wrong (✗); repair the first one first.`;
  return 'Nothing is wrong. What is marked ! no program can see: look there once yourself.';
}
