/** `kashbox-relay doctor`: checks the whole phone and prints each problem with its remedy. */
import { TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { type CommonOptions, openHome } from '../context.js';
import { planOf } from '../install/termux-install.js';
import type { Check } from './check.js';
import * as phone from './doctor-phone.js';
import { checkServer } from './doctor-server.js';
import { checkOneSms } from './doctor-sms.js';

export interface DoctorOptions extends CommonOptions {
  /** False leaves the self-test out. */
  readonly sms: boolean;
}

const MARKS: Readonly<Record<Check['state'], string>> = { ok: '✓', warn: '!', fail: '✗' };
/** Refused in this state. */
const EXIT_FAILED = 4;

/** @returns the exit code: 0 if nothing is wrong, else 4. Each result is printed at once. */
export async function doctor(options: DoctorOptions): Promise<number> {
  const checks: Check[] = [];
  for await (const check of examine(options)) {
    checks.push(check);
    if (options.json !== true) process.stdout.write(`${lines(check)}\n`);
  }
  const failed = checks.some(({ state }) => state === 'fail');
  if (options.json === true) process.stdout.write(`${JSON.stringify({ ok: !failed, checks })}\n`);
  else process.stdout.write(`\n${conclusion(checks)}\n`);
  return failed ? EXIT_FAILED : 0;
}

/** In the order in which problems should be repaired. */
async function* examine(options: DoctorOptions): AsyncGenerator<Check> {
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
  yield* await checkServer(home);
  yield phone.RCS;
  if (options.sms) yield await checkOneSms(home, calls, askForSms);
}

function askForSms(): void {
  process.stderr.write('Now send an SMS to this phone, from any phone. Waiting up to 2 minutes …\n');
}

function lines(check: Check): string {
  const line = `${MARKS[check.state]} ${check.name}: ${check.message}`;
  return check.remedy === null ? line : `${line}\n    → ${check.remedy}`;
}

function conclusion(checks: readonly Check[]): string {
  const failed = checks.filter(({ state }) => state === 'fail').length;
  if (failed > 0) return `${failed} of ${checks.length} are wrong (✗); mend the first one first.`;
  return 'Nothing is wrong. What is marked ! no program can see: look there once yourself.';
}
