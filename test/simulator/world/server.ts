/** What a phone finds behind the address of its server: the daemons, or something else that answers. */

import { validateMessages } from '../../../daemon/http/routes/relay.js';
import { answerSync } from '../../../daemon/relay/answer-sync.js';
import type { HttpReply, StreamEnd } from '../../../relay-android-ts/src/core/ports.js';
import { authenticateDevice } from '../../../src/actions/access/authenticate-device.js';
import type { Core } from '../../../src/actions/core/core.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import type { Chance } from '../machine/chance.js';
import { LOST } from '../machine/network.js';
import type { OwnTimers } from '../machine/time.js';
import type { Phone, PhoneServer } from './phone.js';
import type { World } from './world.js';

const PATIENCE_MS = 30_000;
const BEAT_MS = 15_000;
const REFUSED = new Set(['device_key_missing', 'device_key_invalid', 'merchant_suspended']);

/** Answers of a hotel's network, a firewall, a proxy whose server is gone: none of them is Kashbox's. */
const FALSE_ANSWERS = [
  { status: 200, body: '<html>Welcome to our network</html>' },
  { status: 200, body: '{"status":true,"results":[]}' },
  { status: 200, body: '{"status":true}' },
  { status: 401, body: '{"error":"log in"}' },
  { status: 413, body: '<html>413</html>' },
  { status: 502, body: '<html>Bad gateway</html>' },
] as const;

interface SyncBody {
  readonly messages?: readonly { readonly body: string }[];
}

export function phoneServer(world: World, chance: Chance): PhoneServer {
  return {
    async sync(phone, body, timers) {
      if (world.isBehindProxy && chance.is(0.9)) {
        return { kind: 'answered', retryAfter: null, ...chance.pick(FALSE_ANSWERS) };
      }
      const daemon = chance.pick(world.machine.daemons);
      const way = { from: phone.name, to: daemon.name, timers, ms: PATIENCE_MS };
      const reply = await world.network.call(way, () => answer((work) => daemon.serve(work), phone, body));
      if (reply === LOST) return { kind: 'unreachable', reason: 'no answer' };
      if (reply.kind === 'answered' && reply.status === 200 && !timers.isDead)
        noteStored(world, body, reply.body);
      return reply;
    },
    events: (phone, onText, timers) => listen(world, chance, phone, onText, timers),
  };
}

async function answer(
  serve: <T>(work: (core: Core) => Promise<T>) => Promise<T>,
  phone: Phone,
  text: string,
): Promise<HttpReply> {
  const key = phone.deviceKey;
  const replied = (status: number, body: object): HttpReply => ({
    kind: 'answered',
    status,
    retryAfter: null,
    body: JSON.stringify(body),
  });
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    return replied(
      200,
      await serve(async (core) => {
        const caller = await authenticateDevice(core, { key });
        const messages = validateMessages({ messages: [], ...body });
        return answerSync(core, { caller, key, messages, body }, async ({ leased, device }) => ({
          leased,
          device,
        }));
      }),
    );
  } catch (error) {
    if (!isKashboxError(error)) throw error;
    return replied(REFUSED.has(error.code) ? 401 : 503, { status: false, message: error.message });
  }
}

/** The receipt has reached the phone: from now on these texts must be there. */
function noteStored(world: World, sent: string, answered: string): void {
  const { messages = [] } = JSON.parse(sent) as SyncBody;
  const { results } = JSON.parse(answered) as { results: readonly { readonly state: string }[] };
  for (const [at, { body }] of messages.entries()) {
    if (results[at]?.state === 'stored' || results[at]?.state === 'duplicate')
      world.observed.stored.add(body);
  }
}

/** An event stream that one daemon serves until it ends or the network is cut. */
function listen(
  world: World,
  chance: Chance,
  phone: Phone,
  onText: (text: string) => void,
  timers: OwnTimers,
): Promise<StreamEnd> {
  const daemon = chance.pick(world.machine.daemons);
  const isThrough = () => daemon.isUp && !world.network.isCut(phone.name, daemon.name);
  if (!isThrough()) return Promise.resolve({ kind: 'unreachable', reason: 'no answer' });
  return new Promise((resolve) => {
    const push = (text: string) => {
      timers.after(chance.whole(5, 50), () => {
        if (isThrough()) onText(text);
      });
    };
    const hear = async (core: Core) =>
      core.called.listen(phone.deviceId, () => push('event: wake\ndata: {}\n\n'));
    daemon.serve(hear).catch(() => {});
    push('retry: 1000\n\n');
    const beat = () => {
      if (isThrough()) timers.after(BEAT_MS, beat);
      else resolve({ kind: 'silent' });
    };
    beat();
  });
}
