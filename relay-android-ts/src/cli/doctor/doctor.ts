/** `kashbox-relay doctor`: checks the phone or the computer and prints each problem with its remedy. */
import { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { type CommonOptions, openHome, type Terminal } from '../context.js';
import { installedModems, machineAt } from '../install/computer.js';
import { isOnComputer } from '../install/modem-install.js';
import { SERVICE_HOME } from '../install/modem-plan.js';
import type { ModemSpec } from '../modems.js';
import type { DoctorCheck } from './check.js';
import { examineComputer } from './doctor-computer.js';
import { examinePhone } from './doctor-phone.js';
import { checkOneSms, type SmsWatch, watchPhone, watchQueue } from './doctor-sms.js';

export interface DoctorOptions extends CommonOptions {
  /** False leaves the self-test out. */
  readonly sms: boolean;
  /** Modems of a computer; the installed ones if not set. */
  readonly modems?: readonly ModemSpec[];
}

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
async function* examine(options: DoctorOptions, ask: (where: string) => void): AsyncGenerator<DoctorCheck> {
  const modems = options.modems ?? (await installedModems());
  const isPhone = modems === undefined;
  const isService = !isPhone && isOnComputer() && process.env.KASHBOX_RELAY_HOME === undefined;
  const home = openHome(options.home ?? (isService ? SERVICE_HOME : undefined));
  if (isPhone) yield* examinePhone(home);
  else yield* examineComputer(modems, home, machineAt(undefined));
  if (!options.sms) return;
  const watchOf = (deviceId: string): SmsWatch =>
    isPhone ? watchPhone(new TermuxCalls(process.env.PATH), deviceId) : watchQueue(home);
  yield await checkOneSms(home, watchOf, () => ask(isPhone ? 'this phone' : 'a SIM in these modems'));
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
