/** A sync pump on a clock that stands still, with a line whose answers the test chooses. */
import type { ExecutionContext } from 'ava';
import type { RelayErrorCode } from '../../src/core/errors.js';
import { UNKNOWN_HEALTH } from '../../src/core/health.js';
import { DeadLetters } from '../../src/core/inbox/dead-letters.js';
import { Queue, type QueuedMessage } from '../../src/core/inbox/queue.js';
import { Outbox } from '../../src/core/outbox/outbox.js';
import type { HttpReply, ServerLine, StreamEnd } from '../../src/core/ports.js';
import { type SyncEnd, SyncPump } from '../../src/core/sync/sync-pump.js';
import { nodeSeal } from '../../src/ports/node-clock.js';
import { FakeClock, settled } from './clock.js';
import { MemoryFile } from './memory-file.js';
import { MemoryLog, messages } from './messages.js';
import { type Results, receipted } from './receipts.js';

export const DEVICE_KEY = 'dk_test_0123456789';

/** A request as it was sent. */
export interface Request {
  readonly messages: readonly { readonly id: string }[];
  readonly reports: readonly object[];
  readonly outbox?: { readonly journal: string; readonly held: readonly string[] };
  readonly wait_ms?: number;
  readonly resent_since?: string;
}

export type Reply = (body: Request) => HttpReply | Promise<HttpReply>;

export function answered(status: number, body: object, retryAfter: string | null = null): HttpReply {
  return { kind: 'answered', status, retryAfter, body: JSON.stringify(body) };
}

/** A good answer of the server, with its receipt. */
export function confirmed(answer: Results & Readonly<Record<string, unknown>> = {}): HttpReply {
  return answered(200, receipted(DEVICE_KEY, { status: true, ...answer }));
}

/** Says of every message what became of it; those of `rejected` are refused with that reason. */
export function results(body: Request, rejected: ReadonlyMap<string, string> = new Map()) {
  return body.messages.map(({ id }) => {
    const reason = rejected.get(id);
    return reason === undefined ? { id, state: 'stored' } : { id, state: 'rejected', reason };
  });
}

export const storeAll: Reply = (body) => confirmed({ results: results(body), next_poll_ms: 30_000 });
export const fail: Reply = () => answered(500, { status: false, message: 'broken' });
export const unreachable: Reply = () => ({ kind: 'unreachable', reason: 'ECONNREFUSED' });

class FakeLine implements ServerLine {
  readonly deviceId = 'dev_test';
  reply: Reply = storeAll;
  /** Message ids of each request. */
  readonly requests: string[][] = [];
  readonly bodies: Request[] = [];
  renewals = 0;
  inFlight = 0;
  mostInFlight = 0;

  async sync(body: string, stop: AbortSignal): Promise<HttpReply> {
    const parsed = JSON.parse(body) as Request;
    this.bodies.push(parsed);
    this.requests.push(parsed.messages.map(({ id }) => id));
    this.inFlight += 1;
    this.mostInFlight = Math.max(this.mostInFlight, this.inFlight);
    let abort = (): void => {};
    const aborted = new Promise<HttpReply>((resolve) => {
      abort = () => resolve({ kind: 'unreachable', reason: 'aborted' });
    });
    stop.addEventListener('abort', abort);
    const reply = await Promise.race([this.reply(parsed), aborted]);
    stop.removeEventListener('abort', abort);
    this.inFlight -= 1;
    return reply;
  }

  seal(text: string): string {
    return nodeSeal(DEVICE_KEY, text);
  }

  async events(): Promise<StreamEnd> {
    return { kind: 'refused', status: 404 };
  }

  async renew(): Promise<void> {
    this.renewals += 1;
  }
}

export async function startPump(
  t: ExecutionContext,
  options: { waiting?: number; before?: readonly QueuedMessage[]; once?: boolean; reply?: Reply } = {},
) {
  const clock = new FakeClock();
  const line = new FakeLine();
  if (options.reply !== undefined) line.reply = options.reply;
  const deadFile = new MemoryFile();
  const queue = await Queue.open(new MemoryFile());
  const deadLetters = await DeadLetters.open(deadFile);
  const outbox = await Outbox.open(new MemoryFile(), 'journal-1', '');
  let dispatches = 0;
  const resends: number[] = [];
  await queue.take('test', null, options.before ?? messages(options.waiting ?? 0));
  const errors: (RelayErrorCode | null)[] = [];
  const log = new MemoryLog();
  const pump = new SyncPump({
    queue,
    deadLetters,
    outbox,
    line,
    clock,
    random: () => 0.5,
    log,
    appVersion: '0',
    health: () => ({ ...UNKNOWN_HEALTH, problem: null }),
    onExchange: (_verdict, error) => errors.push(error?.code ?? null),
    onDelivered: () => {},
    onDispatches: () => {
      dispatches += 1;
    },
    onResend: (since) => void resends.push(since),
  });
  let end: SyncEnd | undefined;
  const running = pump.run(options.once === true).then((value) => {
    end = value;
  });
  await settled();
  t.teardown(async () => {
    pump.stop();
    await clock.advance(10_000);
    await running;
  });
  const told = { dispatches: () => dispatches, resends, end: () => end };
  return { clock, line, queue, deadLetters, deadFile, outbox, pump, errors, log, ...told };
}
