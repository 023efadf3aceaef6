/** `kashbox-relay status`: reads the home folder while an agent may run; changes nothing in it. */
import { QueueState } from '../core/inbox/queue.js';
import { isUnreported, isWaiting, OutboxState } from '../core/outbox/outbox.js';
import { dhakaTime, nodeClock } from '../ports/node-clock.js';
import { lockHolder } from '../ports/node-lock.js';
import { type CommonOptions, loadJournal, openHome } from './context.js';
import { describeDeadLetter, loadDeadLetters } from './dead-letters.js';

const DEAD_LETTERS_SHOWN = 10;

export async function status(options: CommonOptions): Promise<string> {
  const report = await loadReport(options.home);
  return options.json ? JSON.stringify(report) : describe(report);
}

type StatusReport = Awaited<ReturnType<typeof loadReport>>;

async function loadReport(homeOption: string | undefined) {
  const home = openHome(homeOption);
  const config = await home.readConfig();
  const state = await home.readState();
  const queue = await loadJournal(home.queuePath, new QueueState());
  const outbox = [...(await loadJournal(home.outboxPath, new OutboxState())).entries.values()];
  const oldest = queue.oldestTakenAt();
  const { lastError, problem, lastSyncAt } = state;
  return {
    paired:
      config === undefined
        ? null
        : { url: config.url, device: { id: config.deviceId, name: config.deviceName } },
    /** Process id of the running agent. */
    running: await lockHolder(home.lockPath),
    queued: queue.messages.size,
    oldest_age_s: oldest === null ? null : Math.max(0, Math.round((nodeClock.now() - oldest) / 1000)),
    /** SMS to be sent, and those whose result is not reported yet. */
    outbox: { waiting: outbox.filter(isWaiting).length, unreported: outbox.filter(isUnreported).length },
    last_sync: lastSyncAt === null ? null : dhakaTime(lastSyncAt),
    /** `mended`: the server has answered well since. */
    last_error:
      lastError === null
        ? null
        : { ...lastError, at: dhakaTime(lastError.at), mended: (lastSyncAt ?? 0) > lastError.at },
    /** The problem that stops the agent, if any. */
    problem: problem === null ? null : { message: problem.message, since: dhakaTime(problem.at) },
    clock_offset_s: state.clockOffsetMs === null ? null : Math.round(state.clockOffsetMs / 1000),
    dead_letters: await loadDeadLetters(home),
  };
}

function describe(report: StatusReport): string {
  const { paired, last_error: error, problem, dead_letters: dead } = report;
  const shown = dead.slice(-DEAD_LETTERS_SHOWN);
  const lines = [
    paired === null
      ? 'Not paired. Make a code on the server with `kashbox devices enroll`, or `rotate NAME`; then: kashbox-relay pair'
      : `Paired with  ${paired.url} as "${paired.device.name}" (${paired.device.id})`,
    `Agent        ${report.running === null ? 'not running' : `running, process ${report.running}`}`,
    `Queue        ${report.queued} waiting${report.oldest_age_s === null ? '' : `, the oldest for ${report.oldest_age_s} s`}`,
    `Outbox       ${report.outbox.waiting} to send, ${report.outbox.unreported} to report`,
    `Last sync    ${report.last_sync ?? 'never'}`,
    `Last error   ${error === null ? 'none' : `${error.at}${error.mended ? ', mended since' : ''}: ${error.message}`}`,
    `Problem      ${problem === null ? 'none' : `since ${problem.since}: ${problem.message}`}`,
    `Dead letters ${dead.length}`,
    ...shown.map((letter) => `  ${describeDeadLetter(letter)}`),
  ];
  return lines.join('\n');
}
