/**
 * A relay phone that only sends: it keeps a journal of what it was given, as the agent does, and closes every
 * fifth connection before it has read the answer. It writes down whatever should never happen to it.
 */
import { Agent, request } from 'node:https';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whom the phone asks next; a daemon that was killed is somewhere else for a while. */
export type NextUrl = () => string;

export interface SendingPhone {
  /** How often each SMS left the phone. */
  readonly sends: ReadonlyMap<string, number>;
  /** Ids of which the daemon has the last word. */
  readonly settled: ReadonlySet<string>;
  /** Answers that no daemon should give, in words. */
  readonly faults: readonly string[];
  readonly lost: () => number;
  /** Resolves after the round that is under way. */
  stop(): Promise<void>;
}

interface Dispatch {
  readonly id: string;
  readonly message: string;
}

interface Report {
  readonly id: string;
  readonly state: string;
}

const LOST_EVERY = 5;

/** @param ca the daemons' certificate. @param name journal of this phone. */
export function startSendingPhone(key: string, ca: Buffer, nextUrl: NextUrl, name: string): SendingPhone {
  const sends = new Map<string, number>();
  const held = new Map<string, Dispatch>();
  const reports = new Map<string, Report>();
  const settled = new Set<string>();
  const faults: string[] = [];
  const agent = new Agent({ keepAlive: true, ca });
  let round = 0;
  let lost = 0;
  let isOver = false;

  /** What it was given is in the journal before anything else happens to it. */
  const take = (dispatches: readonly Dispatch[]) => {
    for (const dispatch of dispatches) {
      const { id } = dispatch;
      if (held.has(id) || sends.has(id)) faults.push(`${id} was handed out twice`);
      else held.set(id, dispatch);
    }
  };

  /** A third of them wait for the next round, held. */
  const sendSome = () => {
    for (const [n, id] of [...held.keys()].entries()) {
      if ((n + round) % 3 === 0) continue;
      held.delete(id);
      sends.set(id, (sends.get(id) ?? 0) + 1);
      reports.set(id, { id, state: ['SENT', 'DELIVERED', 'FAILED'][sends.size % 3] ?? 'SENT' });
    }
  };

  const sync = async () => {
    round += 1;
    const told = [...reports.values()].slice(0, 200);
    // What is not told in this round is held, or it would look as if it had never arrived.
    const kept = [...held.keys(), ...[...reports.keys()].slice(told.length)];
    const body = { outbox: { journal: name, held: kept }, reports: told };
    const answer = await ask(`${nextUrl()}/api/v2/relay/sync`, key, agent, body, round % LOST_EVERY === 0);
    if (answer === null) {
      lost += 1;
      return;
    }
    for (const { id } of told) {
      reports.delete(id);
      settled.add(id);
    }
    take(answer);
    sendSome();
  };

  const running = (async () => {
    while (!isOver) await sync().catch(() => sleep(20));
  })();
  return {
    sends,
    settled,
    faults,
    lost: () => lost,
    stop: async () => {
      isOver = true;
      await running;
      agent.destroy();
    },
  };
}

/** @returns what is to be sent, or null for an answer that was left unread. Rejects where none came. */
function ask(
  url: string,
  key: string,
  agent: Agent,
  body: object,
  isLost: boolean,
): Promise<readonly Dispatch[] | null> {
  return new Promise((resolve, reject) => {
    const headers = { 'device-key': key, 'content-type': 'application/json' };
    const asking = request(url, { agent, method: 'POST', headers }, (response) => {
      if (isLost) {
        response.destroy();
        resolve(null);
        return;
      }
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) reject(new Error(`sync answered ${response.statusCode}`));
        else resolve((JSON.parse(Buffer.concat(chunks).toString()) as { dispatches: Dispatch[] }).dispatches);
      });
    });
    asking.on('error', reject);
    asking.end(JSON.stringify(body));
  });
}
