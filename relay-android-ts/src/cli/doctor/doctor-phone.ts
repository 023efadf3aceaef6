/** The doctor's checks of the phone: Node, Termux:API, permissions, and what keeps the agent running. */
import { explain, TermuxCalls, type TermuxFailure } from '../../platforms/termux/termux-calls.js';
import type { Home } from '../../ports/node-home.js';
import { isOther } from '../install/plan.js';
import {
  FIND_SUB,
  loadPhonePlan,
  logPath,
  type PhonePlan,
  planScripts,
  SIM_SUBS_COMMAND,
} from '../install/termux-install.js';
import { checkNode, type DoctorCheck, fail, ok, PHONE, warn } from './check.js';
import { checkServer } from './doctor-server.js';

/** Response time above which SMS arrive noticeably late (0.05 to 4 s is usual). */
const SLOW_MS = 6_000;

const PERMISSIONS =
  'Settings > Apps > Termux:API > Permissions: allow SMS and Contacts. If they are grey: ⋮ > Allow restricted ' +
  'settings, then again.';
const API_APP =
  'Run "pkg install termux-api", install the app Termux:API from where Termux came from (F-Droid), open it once, ' +
  'and set Battery: Unrestricted for both.';

/** Yields the checks in the order in which problems should be repaired; the SMS self-test is not included. */
export async function* examinePhone(home: Home): AsyncGenerator<DoctorCheck> {
  const plan = await loadPhonePlan({ home: home.path });
  const calls = new TermuxCalls(process.env.PATH);
  yield checkNode(process.versions.node);
  yield await checkApi(calls);
  yield await checkSmsReading(calls);
  yield await checkSims(calls, plan.simSubs);
  yield SMS_SENDING;
  yield BATTERY;
  yield await checkWakeLock(calls);
  yield* await checkStart(plan);
  yield* await checkServer(home, PHONE);
  yield RCS;
}

/** Runs a program that needs no permission. */
async function checkApi(calls: TermuxCalls): Promise<DoctorCheck> {
  const program = 'termux-battery-status';
  const began = performance.now();
  const result = await calls.run({ program });
  const ms = Math.round(performance.now() - began);
  if (result.kind !== 'answered') return fail('Termux:API', faultOf(program, result), API_APP);
  if (ms > SLOW_MS) return warn('Termux:API', `answers, but takes ${ms} ms`, API_APP);
  return ok('Termux:API', `answers in ${ms} ms`);
}

async function checkSmsReading(calls: TermuxCalls): Promise<DoctorCheck> {
  const program = 'termux-sms-list';
  const result = await calls.run({ program, args: ['--message-type=inbox', '--message-limit=1'] });
  if (result.kind !== 'answered')
    return fail('reading SMS', faultOf(program, result), result.kind === 'refused' ? PERMISSIONS : API_APP);
  return ok('reading SMS', 'allowed');
}

/** Leaves out the advice that log messages contain, because the remedy is printed on the next line. */
function faultOf(program: string, failure: TermuxFailure): string {
  if (failure.kind === 'missing') return `${program} is not there`;
  return failure.kind === 'hung' ? `${program} does not answer` : explain(program, failure);
}

const SMS_SENDING = warn(
  'sending SMS',
  'cannot be known without sending one',
  'Needed only if the shop sends SMS: Settings > Apps > Termux:API > Permissions: allow SMS and Phone.',
);

const BATTERY = warn(
  'battery exemption',
  'Android tells no program in Termux',
  'Settings > Apps > Termux > Battery: Unrestricted; the same for Termux:API and Termux:Boot. Some makers have a ' +
    'second list, such as "App launch" or "Sleeping apps": see dontkillmyapp.com.',
);

const RCS = warn(
  'RCS',
  'messages sent as RCS reach no program',
  'In the app Messages: Settings > RCS chats > off.',
);

/**
 * Checks that Android's subscription id of each SIM is configured. No program can find it out, and without it
 * the server cannot know which SIM received an SMS.
 * @param simSubs value given to `install`, such as `1=3,2=4`; null if none
 */
export async function checkSims(calls: TermuxCalls, simSubs: string | null): Promise<DoctorCheck> {
  const name = 'two SIMs';
  if (simSubs !== null) return ok(name, `told apart by slot and subscription id: ${simSubs}`);
  const { phone_count: slots } = await calls.fields('termux-telephony-deviceinfo');
  if (slots === 1) return ok(name, 'the phone takes one SIM');
  const isKnown = typeof slots === 'number' && slots >= 1;
  const what = isKnown ? `the phone takes ${slots}` : 'whether the phone has two cannot be seen';
  return warn(
    name,
    `${what}, and nobody has said which is which`,
    `If two SIMs are enrolled, every payment waits for a person until you run: ${SIM_SUBS_COMMAND} To find the number ` +
      `of a SIM, send an SMS to it, and try 1, 2, 3 and so on until this shows it: ${FIND_SUB}`,
  );
}

/** Asking for it twice does no harm. */
async function checkWakeLock(calls: TermuxCalls): Promise<DoctorCheck> {
  const program = 'termux-wake-lock';
  const result = await calls.run({ program });
  if (result.kind === 'answered')
    return ok('wake lock', 'taken; the notification of Termux says "wake lock held"');
  return fail('wake lock', faultOf(program, result), 'Run: pkg upgrade');
}

const INSTALL_AGAIN = 'Run: kashbox-relay install';

/** Checks that every script exists and matches this version. */
export async function checkStart(plan: PhonePlan): Promise<DoctorCheck[]> {
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

function serviceCheck(plan: PhonePlan, other: string | undefined): DoctorCheck {
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
