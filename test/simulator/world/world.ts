/** Everything that takes part in one history, and what goes wrong around it. */
import { sleep } from '../../../src/base/values/timers.js';
import type { AttemptResult } from '../../../src/domain/notifications/notification.js';
import type { Post } from '../../../src/notify/send.js';
import { Disk } from '../disk/disk.js';
import { Chance } from '../machine/chance.js';
import { FINE, LOST, Network } from '../machine/network.js';
import { Time } from '../machine/time.js';
import { Trace } from '../machine/trace.js';
import type { Problem } from '../plan.js';
import { Chain } from './chain.js';
import { type Ground, NODES } from './ground.js';
import { Machine, START } from './machine.js';
import { type Money, nothingObserved, type Order } from './observed.js';
import { Phone } from './phone.js';
import { phoneServer } from './server.js';
import { Shop } from './shop.js';
import { Wallets } from './wallets.js';

export interface WorldOptions {
  readonly seed: number;
  readonly ground: Ground;
  readonly daemons: number;
  /** How many lines of the trace are kept. */
  readonly keptLines: number;
}

/** So long after its end a daemon begins again where somebody reads meanwhile. */
const READER_MS = 600;

export class World {
  readonly time = new Time();
  readonly timers = this.time.timers();
  readonly observed = nothingObserved();
  readonly trace: Trace;
  readonly ground: Ground;
  readonly disk: Disk;
  readonly network: Network;
  readonly chain: Chain;
  readonly machine: Machine;
  readonly shops: readonly Shop[];
  readonly phones: readonly Phone[];
  readonly wallets: Wallets;
  isBehindProxy = false;
  /** The next phone that sends an SMS dies at once, for so many milliseconds; null where none does. */
  private diesSending: { readonly ms: number; readonly losesOutbox: boolean } | null = null;
  /** The same of the next one that tells its inbox that SMS are safe. */
  private diesKeeping: number | null = null;
  private readonly chance: Chance;

  constructor({ seed, ground, daemons, keptLines }: WorldOptions) {
    this.chance = new Chance(`world ${seed}`);
    this.ground = ground;
    this.trace = new Trace(() => this.time.now, keptLines);
    this.disk = Disk.of(ground.image, this.chance.of('disk').part);
    this.network = new Network(this.time, this.chance.of('network'));
    const { time, disk, network, observed, timers } = this;
    const now = () => START + Math.floor(time.now);
    this.chain = new Chain(time, now, this.chance.of('chain'));
    const chance = this.chance.of('machine');
    const post = (daemon: string) => (letter: Post) => this.post(daemon, letter);
    this.machine = new Machine({ time, disk, chance, chain: this.chain, post });
    for (let at = 0; at < daemons; at += 1) this.machine.add(`daemon${at}`, this.chance.whole(-400, 400));
    const shopParts = { network, timers, observed, daemons: () => this.machine.daemons };
    this.shops = ground.shops.map((shop, at) => new Shop(at, shop, shopParts));
    const server = phoneServer(this, this.chance.of('server'));
    this.phones = ground.phones.map(({ id, deviceKey }, at) => {
      const name = `phone${at}`;
      const onAir = ({ message }: { readonly message: string }) => {
        this.trace.add('on air', message);
        observed.sent.set(message, (observed.sent.get(message) ?? 0) + 1);
        const dies = this.diesSending;
        this.diesSending = null;
        if (dies !== null) this.killPhone(at, dies.ms, dies.losesOutbox).catch(time.fail);
      };
      const onKept = (bodies: readonly string[]) => {
        for (const body of bodies) observed.kept.add(body);
        const ms = bodies.length > 0 ? this.diesKeeping : null;
        if (ms === null) return;
        this.diesKeeping = null;
        this.killPhone(at, ms).catch(time.fail);
      };
      const own = { chance: this.chance.of(name), onAir, onKept };
      return new Phone(name, id, deviceKey, { time, server, now, ...own });
    });
    this.wallets = new Wallets({
      time,
      observed,
      now,
      deliver: (shop, sms) => {
        this.trace.add('SMS', shop, sms.sender, sms.body);
        for (const [at, phone] of this.phones.entries())
          if (ground.phones[at]?.shop === shop) phone.receive(sms);
      },
    });
  }

  start(): void {
    for (const daemon of this.machine.daemons) daemon.startLater(0);
    for (const phone of this.phones) phone.start().catch(this.time.fail);
  }

  /** Moves USDT to a shop, for a payment of which it is the very amount. */
  payOnChain({ shop, session }: Pick<Order, 'shop' | 'session'>, amount: bigint, chance: Chance): Money {
    const reference = newHash(chance);
    const money = { channel: 'bep20', reference, amount, shop, session, isReversed: false, isReal: true };
    this.observed.money.push(money);
    this.chain.pay(money, this.ground.shops[shop]?.receiver ?? '');
    return money;
  }

  /** A cheat has a node say of a transfer that never was that it pays. @returns its hash */
  bribe({ shop }: Pick<Order, 'shop'>, amount: bigint, chance: Chance): string {
    const hash = newHash(chance);
    this.chain.lies.set(hash, { amount, receiver: this.ground.shops[shop]?.receiver ?? '' });
    return hash;
  }

  /** Carries a notification to its shop. */
  private async post(daemon: string, letter: Post): Promise<AttemptResult> {
    const shop = this.shops[Number(/^https:\/\/shop(\d)\./.exec(letter.url)?.[1])];
    if (shop === undefined) throw new Error(`nobody listens at ${letter.url}`);
    const way = { from: daemon, to: `shop${shop.index}`, timers: this.timers, ms: 5_000 };
    const answer = await this.network.call(way, async () => {
      const heard = shop.hear(letter);
      this.trace.add('told', letter.headers['webhook-id'] ?? '', heard.outcome);
      // It has taken it in, and the answer comes too late.
      if (shop.mood === 'slow') await sleep(this.timers, 6_000);
      return heard;
    });
    const result =
      answer === LOST ? { outcome: 'timeout' as const, status: null, detail: 'no answer' } : answer;
    return { ...result, answer: null, redirect: null, ms: 1, retryAfterS: null };
  }

  /** Lets something go wrong; what lasts, lasts for so many milliseconds. */
  async problem(what: Problem, seed: string, ms: number): Promise<void> {
    const chance = new Chance(`problem ${seed}`);
    this.trace.add('problem', what, ms);
    const { disk, network, machine } = this;
    const wait = () => sleep(this.timers, ms);
    switch (what) {
      case 'kill':
        return this.killDaemon(chance, ms);
      case 'power':
        return machine.crash({ hasPower: false, restartMs: ms });
      case 'kill_all_at_write':
      case 'power_at_write':
        return this.crashAtWrite(chance.whole(0, 60), {
          hasPower: what === 'kill_all_at_write',
          restartMs: ms,
        });
      case 'bad_disk': {
        let isOver = false;
        disk.fault = (operation) => {
          if (operation !== 'sync' || isOver) return 'none';
          isOver = true;
          return 'error';
        };
        await wait();
        // Such a disk is often followed by a reset: what a sync has failed to bring there is gone then.
        if (chance.is(0.5)) machine.crash({ hasPower: false });
        return;
      }
      case 'long_reader':
        machine.readFor(ms);
        return;
      case 'bad_disk_then_reader':
        return this.failThenRead(chance, ms);
      case 'full_disk':
        disk.fault = (operation) => (operation === 'write' ? 'full' : 'none');
        await wait();
        disk.fault = () => 'none';
        return;
      case 'cut': {
        const actors = [...machine.daemons, ...this.phones].map(({ name }) => name).concat('shop0', 'shop1');
        const away = actors.filter(() => chance.is(0.3));
        for (const name of away) network.cutOff.add(name);
        await wait();
        for (const name of away) network.cutOff.delete(name);
        return;
      }
      case 'storm':
        network.weather = { lost: 0.25, doubled: 0.2, delayMs: 5_000 };
        await wait();
        network.weather = FINE;
        return;
      default:
        return this.smallTrouble(what, chance, ms);
    }
  }

  private async smallTrouble(what: Problem, chance: Chance, ms: number): Promise<void> {
    const wait = () => sleep(this.timers, ms);
    switch (what) {
      case 'clock':
        this.machine.wrongBy = chance.pick([-3_600_000, -30_000, -2_500, 2_500, 30_000, 120_000]);
        await wait();
        this.machine.wrongBy = 0;
        return;
      case 'machine_sleeps':
        this.time.sleep(ms);
        return;
      case 'phone_killed': {
        const phone = chance.pick(this.phones);
        if (chance.is(0.5)) this.diesKeeping = ms;
        else if (phone.isUp) await this.killPhone(this.phones.indexOf(phone), ms);
        return;
      }
      case 'phone_dies_sending':
        this.diesSending = { ms, losesOutbox: chance.is(0.5) };
        return;
      case 'proxy':
        this.isBehindProxy = true;
        await wait();
        this.isBehindProxy = false;
        return;
      case 'shop_down':
      case 'shop_slow': {
        const shop = chance.pick(this.shops);
        shop.mood = what === 'shop_down' ? 'down' : 'slow';
        await wait();
        // While it waits for an answer a daemon may end as well.
        if (chance.is(0.5)) this.killDaemon(chance, ms);
        shop.mood = 'fine';
        return;
      }
      case 'node_lies':
      case 'node_down': {
        const node = what === 'node_lies' ? NODES[0] : NODES[1];
        this.chain.moods.set(node, what === 'node_lies' ? 'lies' : 'down');
        await wait();
        this.chain.moods.delete(node);
        return;
      }
      case 'reorganisation':
        this.chain.reorganise();
        return;
      default:
        throw new Error(`no such problem: ${what}`);
    }
  }

  /**
   * A sync fails and all daemons end. Before they begin again somebody reads for long, so that the log is as
   * the failed sync has left it; then the power may go.
   */
  private async failThenRead(chance: Chance, ms: number): Promise<void> {
    const { disk, machine, timers } = this;
    let isOver = false;
    disk.fault = (operation) => {
      if (operation !== 'sync' || isOver) return 'none';
      isOver = true;
      timers.after(0, () => {
        machine.crash({ hasPower: true, restartMs: READER_MS });
        timers.after(READER_MS / 2, () => machine.readFor(ms));
      });
      return 'error';
    };
    await sleep(timers, READER_MS + chance.whole(2_000, ms + 2_000));
    if (isOver && chance.is(0.7)) machine.crash({ hasPower: false });
  }

  private killDaemon(chance: Chance, ms: number): void {
    const daemon = chance.pick(this.machine.daemons);
    daemon.kill();
    daemon.startLater(ms);
  }

  private async killPhone(at: number, ms: number, losesOutbox = false): Promise<void> {
    const phone = this.phones[at];
    phone?.kill();
    if (losesOutbox) phone?.loseOutbox();
    await sleep(this.timers, ms);
    await phone?.start();
  }

  /** The machine dies in the middle of what it writes, before or after one of its steps. */
  private crashAtWrite(
    steps: number,
    crash: { readonly hasPower: boolean; readonly restartMs: number },
  ): void {
    let left = steps;
    this.disk.fault = (operation) => {
      if (operation === 'read') return 'none';
      left -= 1;
      if (left >= 0) return 'none';
      this.disk.fault = () => 'none';
      this.trace.add('crash at', operation);
      this.machine.crash(crash);
      return 'error';
    };
  }

  /** Everything works again. */
  calm(): void {
    this.disk.fault = () => 'none';
    this.network.weather = FINE;
    this.network.cutOff.clear();
    this.machine.wrongBy = 0;
    this.isBehindProxy = false;
    this.chain.moods.clear();
    for (const shop of this.shops) shop.mood = 'fine';
  }
}

const newHash = (chance: Chance) => `0x${Buffer.from(chance.bytes(32)).toString('hex')}`;
