/** What the doctor asks the phone: Node, Termux:API, permissions, and what keeps the agent alive. */
import { explain, type Failure, type TermuxCalls } from '../../platforms/termux/termux-calls.js';
import { readIfThere } from '../../ports/node-files.js';
import { type Check, fail, ok, warn } from '../check.js';
import { logPlace, type Plan, type PlannedFile, planScripts } from '../install/termux-places.js';

const NODE_MAJOR = 20;
/** Above it SMS arrive noticeably late (relay-phones.md section 2: 0.05 to 4 s are usual). */
const SLOW_MS = 6_000;

const PERMISSIONS =
  'Settings > Apps > Termux:API > Permissions: allow SMS and Contacts. If they are grey: ⋮ > Allow restricted ' +
  'settings, then again.';
const API_APP =
  'Run "pkg install termux-api", install the app Termux:API from where Termux came from (F-Droid), open it once, ' +
  'and set Battery: Unrestricted for both.';

export function checkNode(version: string): Check {
  const isOld = Number(version.split('.')[0]) < NODE_MAJOR;
  if (isOld) return fail('node', `Node ${version} is too old`, 'Run: pkg install nodejs-lts');
  return ok('node', `Node ${version}`);
}

/** By a program that needs no permission. */
export async function checkApi(calls: TermuxCalls): Promise<Check> {
  const program = 'termux-battery-status';
  const began = performance.now();
  const result = await calls.run({ program, args: [] });
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

/** Without the advice that the agent's log would add: the remedy stands in the next line. */
function faultOf(program: string, failure: Failure): string {
  if (failure.kind === 'missing') return `${program} is not there`;
  return failure.kind === 'hung' ? `${program} does not answer` : explain(program, failure);
}

export function checkSmsSending(): Check {
  return warn(
    'sending SMS',
    'cannot be known without sending one',
    'Needed only if the shop sends SMS: Settings > Apps > Termux:API > Permissions: allow SMS and Phone.',
  );
}

export function checkBattery(): Check {
  return warn(
    'battery exemption',
    'Android tells no program in Termux',
    'Settings > Apps > Termux > Battery: Unrestricted; the same for Termux:API and Termux:Boot. Some makers have a ' +
      'second list, such as "App launch" or "Sleeping apps": see dontkillmyapp.com.',
  );
}

/** Asking for it twice does no harm. */
export async function checkWakeLock(calls: TermuxCalls): Promise<Check> {
  const program = 'termux-wake-lock';
  const result = await calls.run({ program, args: [] });
  if (result.kind === 'answered')
    return ok('wake lock', 'taken; the notification of Termux says "wake lock held"');
  return fail('wake lock', faultOf(program, result), 'Run: pkg upgrade');
}

const INSTALL_AGAIN = 'Run: kashbox-relay install';

/** Whether every script is there as this version would write it. */
export async function checkStart(plan: Plan): Promise<Check[]> {
  const { boot } = plan.places;
  const scripts = planScripts(plan);
  const other = await changed(scripts.filter(({ path }) => path !== boot));
  const bootIsOther = (await changed(scripts.filter(({ path }) => path === boot))).length > 0;
  return [
    bootIsOther
      ? fail('start with the phone', `${boot} is missing or another`, INSTALL_AGAIN)
      : warn(
          'start with the phone',
          'prepared; whether Termux:Boot may do it cannot be seen',
          'Open the app Termux:Boot once, if you have not.',
        ),
    serviceCheck(plan, other),
  ];
}

function serviceCheck(plan: Plan, other: readonly string[]): Check {
  const [first] = other;
  if (first !== undefined) return fail('service', `${first} is missing or another`, INSTALL_AGAIN);
  const log = `its log: ${logPlace(plan)}`;
  if (plan.hasServices)
    return ok('service', `termux-services starts the agent again whenever it ends; ${log}`);
  return warn(
    'service',
    `the agent is watched by a plain script; ${log}`,
    'Better: pkg install termux-services && kashbox-relay install',
  );
}

async function changed(files: readonly PlannedFile[]): Promise<string[]> {
  const found: string[] = [];
  for (const { path, text } of files) {
    if ((await readIfThere(path))?.toString('utf8') !== text) found.push(path);
  }
  return found;
}

export function checkRcs(): Check {
  return warn(
    'RCS',
    'messages sent as RCS reach no program',
    'In the app Messages: Settings > RCS chats > off.',
  );
}
