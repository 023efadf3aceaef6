/** The doctor's checks of the phone: Node, Termux:API, permissions, and what keeps the agent running. */
import { explain, type Failure, type TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { isOther } from '../install/plan.js';
import { FIND_SUB, logPath, type Plan, planScripts, TELL_SUBS } from '../install/termux-install.js';
import { type Check, fail, ok, warn } from './check.js';

const NODE_MAJOR = 20;
/** Above it SMS arrive noticeably late (0.05 to 4 s are usual). */
const SLOW_MS = 6_000;

const PERMISSIONS =
  'Settings > Apps > Termux:API > Permissions: allow SMS and Contacts. If they are grey: ⋮ > Allow restricted ' +
  'settings, then again.';
const API_APP =
  'Run "pkg install termux-api", install the app Termux:API from where Termux came from (F-Droid), open it once, ' +
  'and set Battery: Unrestricted for both.';

export function checkNode(version: string, remedy = 'Run: pkg install nodejs-lts'): Check {
  const isOld = Number(version.split('.')[0]) < NODE_MAJOR;
  if (isOld) return fail('node', `Node ${version} is too old`, remedy);
  return ok('node', `Node ${version}`);
}

/** By a program that needs no permission. */
export async function checkApi(calls: TermuxCalls): Promise<Check> {
  const program = 'termux-battery-status';
  const began = performance.now();
  const result = await calls.run({ program });
  const ms = Math.round(performance.now() - began);
  if (result.kind !== 'answered') return fail('Termux:API', faultOf(program, result), API_APP);
  if (ms > SLOW_MS) return warn('Termux:API', `answers, but takes ${ms} ms`, API_APP);
  return ok('Termux:API', `answers in ${ms} ms`);
}

export async function checkSmsReading(calls: TermuxCalls): Promise<Check> {
  const program = 'termux-sms-list';
  const result = await calls.run({ program, args: ['--message-type=inbox', '--message-limit=1'] });
  if (result.kind !== 'answered')
    return fail('reading SMS', faultOf(program, result), result.kind === 'refused' ? PERMISSIONS : API_APP);
  return ok('reading SMS', 'allowed');
}

/** Without the advice for the log: the next line shows the remedy. */
function faultOf(program: string, failure: Failure): string {
  if (failure.kind === 'missing') return `${program} is not there`;
  return failure.kind === 'hung' ? `${program} does not answer` : explain(program, failure);
}

export const SMS_SENDING = warn(
  'sending SMS',
  'cannot be known without sending one',
  'Needed only if the shop sends SMS: Settings > Apps > Termux:API > Permissions: allow SMS and Phone.',
);

export const BATTERY = warn(
  'battery exemption',
  'Android tells no program in Termux',
  'Settings > Apps > Termux > Battery: Unrestricted; the same for Termux:API and Termux:Boot. Some makers have a ' +
    'second list, such as "App launch" or "Sleeping apps": see dontkillmyapp.com.',
);

export const RCS = warn(
  'RCS',
  'messages sent as RCS reach no program',
  'In the app Messages: Settings > RCS chats > off.',
);

/**
 * Which SIM of a phone has which of Android's subscription ids: no program can find that out, and without it
 * the server cannot tell which SIM received an SMS.
 * @param simSubs what `install` was told, such as `1=3,2=4`; null if nothing
 */
export async function checkSims(calls: TermuxCalls, simSubs: string | null): Promise<Check> {
  const name = 'two SIMs';
  if (simSubs !== null) return ok(name, `told apart by slot and subscription id: ${simSubs}`);
  const { phone_count: slots } = await calls.fields('termux-telephony-deviceinfo');
  if (slots === 1) return ok(name, 'the phone takes one SIM');
  const isKnown = typeof slots === 'number' && slots >= 1;
  const what = isKnown ? `the phone takes ${slots}` : 'whether the phone has two cannot be seen';
  return warn(
    name,
    `${what}, and nobody has said which is which`,
    `If two SIMs are enrolled, every payment waits for a person until you run: ${TELL_SUBS} To find the number ` +
      `of a SIM, send an SMS to it, and try 1, 2, 3 and so on until this shows it: ${FIND_SUB}`,
  );
}

/** Asking for it twice does no harm. */
export async function checkWakeLock(calls: TermuxCalls): Promise<Check> {
  const program = 'termux-wake-lock';
  const result = await calls.run({ program });
  if (result.kind === 'answered')
    return ok('wake lock', 'taken; the notification of Termux says "wake lock held"');
  return fail('wake lock', faultOf(program, result), 'Run: pkg upgrade');
}

const INSTALL_AGAIN = 'Run: kashbox-relay install';

/** Whether every script exists and matches this version. */
export async function checkStart(plan: Plan): Promise<Check[]> {
  const { boot } = plan.paths;
  const others: string[] = [];
  for (const file of planScripts(plan)) if (await isOther(file)) others.push(file.path);
  const start = others.includes(boot)
    ? fail('start with the phone', `${boot} is missing or another`, INSTALL_AGAIN)
    : warn(
        'start with the phone',
        'prepared; whether Termux:Boot may do it cannot be seen',
        'Open the app Termux:Boot once, if you have not.',
      );
  return [
    start,
    serviceCheck(
      plan,
      others.find((path) => path !== boot),
    ),
  ];
}

function serviceCheck(plan: Plan, other: string | undefined): Check {
  if (other !== undefined) return fail('service', `${other} is missing or another`, INSTALL_AGAIN);
  const log = `its log: ${logPath(plan)}`;
  if (plan.hasServices)
    return ok('service', `termux-services starts the agent again whenever it ends; ${log}`);
  return warn(
    'service',
    `the agent is watched by a plain script; ${log}`,
    'Better: pkg install termux-services && kashbox-relay install',
  );
}
