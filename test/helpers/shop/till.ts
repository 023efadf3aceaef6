/**
 * A busy shop in front of a real daemon: customers who order, pay and type in their transaction id, and a
 * phone that relays. It writes down every promise that the daemon made, so that a test can look whether the
 * store keeps them.
 */
import type { ExecutionContext } from 'ava';
import { openCore } from '../../../src/actions/core/core.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import type { Answer, Daemon } from '../programs/daemon.js';
import type { Environment } from '../programs/processes.js';
import { bkashId, bkashText, openShop } from './shop.js';

export interface ShopKeys {
  readonly brandKey: string;
  readonly deviceKey: string;
}

/** Makes a merchant with a wallet and a phone in this home, before any daemon runs there. */
export async function equipShop(home: string, env: Environment = {}): Promise<ShopKeys> {
  const core = await openCore({ folder: home, env });
  try {
    const { brandKey, deviceKey } = await openShop(core);
    return { brandKey, deviceKey };
  } finally {
    await core.close();
  }
}

export interface RelayedSms {
  readonly id: string;
  readonly sender: string;
  readonly body: string;
  readonly received_at: string;
  readonly sim_slot: number;
}

/** What the daemon has promised so far, over all its lives. */
export interface Promises {
  /** Session ids of answered creates. */
  readonly created: Set<string>;
  /** Texts that were answered `stored` or `duplicate`. */
  readonly sms: Set<string>;
  /** Reference by session, of every 200 COMPLETED. */
  readonly completed: Map<string, string>;
  /** SMS without an answer: the phone sends them again. */
  readonly unanswered: Map<string, RelayedSms>;
  /** Answers that no daemon should give, in words. */
  readonly faults: string[];
}

export function noPromises(): Promises {
  return {
    created: new Set(),
    sms: new Set(),
    completed: new Map(),
    unanswered: new Map(),
    faults: [],
  };
}

let serial = 0;

/** An SMS of so many taka that no other has been like. */
export function newSms(taka = '500.00'): { readonly sms: RelayedSms; readonly reference: string } {
  serial += 1;
  const at = Date.now();
  const reference = bkashId(at, serial);
  const body = bkashText({ taka, trxId: reference, at });
  return {
    reference,
    sms: { id: `m${serial}`, sender: 'bKash', body, received_at: dhakaIso(at), sim_slot: 1 },
  };
}

export function createPayment(daemon: Daemon, keys: ShopKeys): Promise<Answer> {
  const order = { cus_name: 'Customer', amount: '500.00', meta_data: { order: 7 } };
  return daemon.post('/api/v2/payment/create', { 'brand-key': keys.brandKey }, order);
}

export function verifyPayment(daemon: Daemon, keys: ShopKeys, id: string, reference: string) {
  const claim = { id, method: 'mfs_a', transaction_id: reference };
  return daemon.post('/api/v2/payment/verify', { 'brand-key': keys.brandKey }, claim);
}

export function relaySms(daemon: Daemon, keys: ShopKeys, messages: readonly RelayedSms[]) {
  return daemon.post('/api/v2/relay/sync', { 'device-key': keys.deviceKey }, { messages });
}

/** One till with everything it needs to serve customers one after the other. */
class Till {
  constructor(
    private readonly daemon: Daemon,
    private readonly keys: ShopKeys,
    private readonly promises: Promises,
    private readonly onCredit: () => void,
  ) {}

  /** The SMS may come before the claim, after it, or at the same moment. */
  async serve(turn: number): Promise<void> {
    const id = await this.create();
    if (id === undefined) return;
    const { sms, reference } = newSms();
    switch (turn % 3) {
      case 0:
        await this.relay([sms]);
        break;
      case 1:
        await this.verify(id, reference, [200, 404]);
        await this.relay([sms]);
        break;
      default:
        await Promise.all([this.relay([sms]), this.verify(id, reference, [200, 404])]);
    }
    await this.verify(id, reference, [200]);
  }

  async relay(messages: readonly RelayedSms[]): Promise<void> {
    for (const sms of messages) this.promises.unanswered.set(sms.id, sms);
    const answer = await relaySms(this.daemon, this.keys, messages);
    const results = (answer.body.results ?? []) as readonly { readonly id: string; readonly state: string }[];
    if (answer.status !== 200 || results.length !== messages.length) return this.fault('sync', answer);
    for (const [index, result] of results.entries()) {
      const sms = messages[index];
      if (sms === undefined || !['stored', 'duplicate'].includes(result.state)) this.fault('sync', answer);
      else {
        this.promises.sms.add(sms.body);
        this.promises.unanswered.delete(sms.id);
      }
    }
  }

  private async create(): Promise<string | undefined> {
    const answer = await createPayment(this.daemon, this.keys);
    const { id } = answer.body;
    if (answer.status === 200 && typeof id === 'string') {
      this.promises.created.add(id);
      return id;
    }
    this.fault('create', answer);
    return undefined;
  }

  private async verify(id: string, reference: string, expected: readonly number[]): Promise<void> {
    const answer = await verifyPayment(this.daemon, this.keys, id, reference);
    const { data } = answer.body as { readonly data?: { readonly status?: unknown } };
    if (answer.status === 200 && data?.status === 'COMPLETED') {
      this.promises.completed.set(id, reference);
      this.onCredit();
    }
    if (!expected.includes(answer.status)) this.fault('verify', answer);
  }

  private fault(what: string, answer: Answer): void {
    this.promises.faults.push(`${what}: ${answer.status} ${JSON.stringify(answer.body)}`);
  }
}

export interface Busy {
  /** Resolves with the first credit that is answered: before it a slow machine has shown nothing. */
  readonly credited: Promise<void>;
  /** Call it before the daemon is stopped: from then on requests may fail. */
  expectEnd(): void;
  /** Resolves when nothing is under way any more. */
  readonly over: Promise<void>;
}

/**
 * Opens tills that serve customers until the daemon is gone. A request that fails before `expectEnd` is
 * a fault. First the phone sends what the daemon's former life has not answered.
 */
export function keepBusy(daemon: Daemon, keys: ShopKeys, promises: Promises, tills = 6): Busy {
  let isEnding = false;
  let onCredit = () => {};
  const firstCredit = new Promise<void>((resolve) => {
    onCredit = resolve;
  });
  const till = new Till(daemon, keys, promises, onCredit);
  const untilGone = async (work: () => Promise<void>) => {
    try {
      await work();
      return true;
    } catch (error) {
      if (!isEnding) promises.faults.push(`no answer: ${String(error)}`);
      return false;
    }
  };
  const run = async (lane: number) => {
    for (let turn = lane; !isEnding; turn += 1) {
      const batch = Array.from({ length: 5 }, () => newSms().sms);
      const isUp = await untilGone(() => (turn % 7 === 6 ? till.relay(batch) : till.serve(turn)));
      if (!isUp) return;
    }
  };
  const resend = [...promises.unanswered.values()];
  const lanes = Array.from({ length: tills }, (_, lane) => run(lane));
  if (resend.length > 0) lanes.push(untilGone(() => till.relay(resend)).then(() => {}));
  const over = Promise.all(lanes).then(() => {});
  return {
    credited: Promise.race([firstCredit, over]),
    expectEnd: () => {
      isEnding = true;
    },
    over,
  };
}

/** Asks again for every payment that was answered COMPLETED: each must be answered the same for ever. */
export async function verifyAgain(
  t: ExecutionContext<unknown>,
  daemon: Daemon,
  keys: ShopKeys,
  promises: Promises,
): Promise<void> {
  const waiting = [...promises.completed];
  const wrong: string[] = [];
  const lane = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const [id, reference] = next;
      const { status, body } = await verifyPayment(daemon, keys, id, reference);
      const { data } = body as { readonly data?: { readonly transaction_id?: unknown } };
      if (status !== 200 || data?.transaction_id !== reference) wrong.push(`${id} ${reference}: ${status}`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  t.deepEqual(wrong, []);
}
