/** The doctor's checks of the connection: pairing, the server, the running agent, the queue. */
import { DeadLetterState } from '../../core/inbox/dead-letters.js';
import { QueueState } from '../../core/inbox/queue.js';
import { nodeClock } from '../../ports/node-clock.js';
import type { Config, Home, RunState } from '../../ports/node-home.js';
import { lockHolder } from '../../ports/node-lock.js';
import { loadJournal } from '../context.js';
import { type Probe, probe } from '../paired-server.js';
import { type DoctorCheck, type DoctorPlace, fail, ok, warn } from './check.js';

/** The agent calls at least once a minute. */
const SILENT_MS = 5 * 60_000;
const STUCK_MS = 5 * 60_000;
const CLOCK_TOLERANCE_MS = 120_000;

const pairAgain = ({ name, pairHere }: DoctorPlace): string =>
  `On the server: kashbox devices rotate <${name}>; ${pairHere}`;

export async function checkServer(home: Home, place: DoctorPlace): Promise<DoctorCheck[]> {
  const config = await home.readConfig();
  if (config === undefined) {
    const remedy = `On the server: kashbox devices enroll; ${place.pairHere}`;
    return [fail('pairing', `this ${place.name} is not paired`, remedy)];
  }
  const state = await home.readState();
  const paired = ok('pairing', `${config.url} as "${config.deviceName}"`);
  return [
    paired,
    serverCheck(config, await probe(config), place),
    ...clockCheck(state, place),
    ...(await agentChecks(home, state, place)),
  ];
}

function serverCheck(config: Config, found: Probe, place: DoctorPlace): DoctorCheck {
  const name = 'server';
  const here = `this ${place.name}`;
  switch (found.kind) {
    case 'well':
      return ok(name, `reachable, trusted, and knows ${here}`);
    case 'refused':
      return fail(name, `does not take the key of ${here} any more`, pairAgain(place));
    case 'untrusted':
      return fail(
        name,
        `has another certificate than the one that was paired with (${found.reason})`,
        `Ask the operator. If the certificate was renewed: ${pairAgain(place)} A wrong date on the ${place.name} ` +
          'does this too.',
      );
    case 'unwell':
      return fail(
        name,
        `does not answer as Kashbox does (${found.reason})`,
        `Look at the log of the daemon, and at what stands between it and ${here}: a proxy, a firewall, the ` +
          `sign-in page of a network.`,
      );
    case 'unreachable':
      return fail(
        name,
        `cannot be reached (${found.reason})`,
        `Is there internet or Wi-Fi, and does ${config.url} answer? On the server: kashbox doctor`,
      );
    default:
      return found satisfies never;
  }
}

/** The agent compares with every answer that it gets. */
function clockCheck({ clockOffsetMs }: RunState, place: DoctorPlace): DoctorCheck[] {
  if (clockOffsetMs === null) return [];
  const seconds = Math.round(Math.abs(clockOffsetMs) / 1000);
  const text = `${seconds} s ${clockOffsetMs > 0 ? 'behind' : 'ahead of'} the server`;
  if (Math.abs(clockOffsetMs) <= CLOCK_TOLERANCE_MS) return [ok('clock', text)];
  return [fail('clock', text, place.setClock)];
}

async function agentChecks(home: Home, state: RunState, place: DoctorPlace): Promise<DoctorCheck[]> {
  const now = nodeClock.now();
  const pid = await lockHolder(home.lockPath);
  const queue = await loadJournal(home.queuePath, new QueueState());
  const dead = await loadJournal(home.deadLettersPath, new DeadLetterState());
  const waiting = `${queue.messages.size} SMS wait`;
  const stuckMs = now - (queue.oldestTakenAt() ?? now);
  const stuck = `${waiting}, one for ${Math.round(stuckMs / 60_000)} minutes`;
  const checks = [
    pid === null ? fail('agent', 'does not run', place.startAgent) : ok('agent', `runs, process ${pid}`),
    syncCheck(state, now),
    stuckMs > STUCK_MS ? fail('queue', stuck, lastMessage(state)) : ok('queue', waiting),
  ];
  if (dead.told.length === 0) return checks;
  const remedy = 'See which, and why: kashbox-relay dead-letters list; then dead-letters retry, or dismiss.';
  return [...checks, warn('rejected SMS', `the server refused ${dead.told.length}`, remedy)];
}

function syncCheck(state: RunState, now: number): DoctorCheck {
  if (state.lastSyncAt === null) return fail('last sync', 'never', lastMessage(state));
  const seconds = Math.max(0, Math.round((now - state.lastSyncAt) / 1000));
  if (seconds * 1000 > SILENT_MS) return fail('last sync', `${seconds} s ago`, lastMessage(state));
  return ok('last sync', `${seconds} s ago`);
}

function lastMessage({ lastError }: RunState): string {
  return lastError === null ? 'See: kashbox-relay status' : `The last error was: ${lastError.message}`;
}
