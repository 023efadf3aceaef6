/**
 * A claim and its SMS meet on PostgreSQL, however their statements fall: each is held at each of its own
 * statements, and before its commit, while the other runs to its end, or until it waits for the held one.
 */
import test, { type ExecutionContext } from 'ava';
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import type { Core } from '../../../src/actions/core/core.js';
import { syncDevice } from '../../../src/actions/relay/sync-device.js';
import { showPayment } from '../../../src/actions/sessions/list-payments.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { MFS_CHANNELS, type MfsChannel } from '../../../src/domain/accounts/channels.js';
import type { Db } from '../../../src/store/schema/index.js';
import { answer, scene } from '../../helpers/shop/scene.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { walletPayment } from '../../helpers/shop/wallets.js';

interface Gate {
  readonly core: Core;
  /** Resolves when it is held, or never. */
  readonly held: Promise<void>;
  letGo(): void;
}

/** The same core, whose units of work are held before that question of theirs; the commit counts as one. */
function heldAt(core: Core, number: number): Gate {
  let asked = 0;
  let letGo = () => {};
  const opened = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let tell = () => {};
  const held = new Promise<void>((resolve) => {
    tell = resolve;
  });
  const pass = async (): Promise<void> => {
    asked += 1;
    if (asked !== number) return;
    tell();
    await opened;
  };
  // What is asked together stays in its order: it is sent in one piece.
  let turn = Promise.resolve();
  const gated = (db: Db): Db => {
    const execute: Db['execute'] = async (sql, parameters) => {
      turn = turn.then(pass);
      await turn;
      return db.execute(sql, parameters);
    };
    return { ...db, execute };
  };
  const write: Core['store']['write'] = (work) =>
    core.store.write(async (db) => {
      const value = await work(gated(db));
      // Before the commit.
      await pass();
      return value;
    });
  return { core: { ...core, store: { ...core.store, write } }, held, letGo: () => letGo() };
}

/** Long enough for whoever does not have to wait. */
const PATIENCE_MS = 300;
const patience = () => new Promise((resolve) => setTimeout(resolve, PATIENCE_MS));
const MOST_QUESTIONS = 20;

interface Meeting {
  readonly claim: (core: Core) => Promise<unknown>;
  readonly sms: (core: Core) => Promise<unknown>;
  readonly isPaid: () => Promise<boolean>;
}

/** @returns how often somebody was really held. */
async function meetEverywhere(
  meet: () => Promise<Meeting>,
  core: Core,
  first: 'claim' | 'sms',
  lost: string[],
): Promise<number> {
  const second = first === 'claim' ? 'sms' : 'claim';
  for (let number = 1; number <= MOST_QUESTIONS; number += 1) {
    const meeting = await meet();
    const gate = heldAt(core, number);
    const one = meeting[first](gate.core);
    const isHeld = await Promise.race([gate.held.then(() => true), one.then(() => false)]);
    const other = meeting[second](core);
    await Promise.race([other, patience()]);
    gate.letGo();
    await Promise.all([one, other]);
    if (!(await meeting.isPaid())) lost.push(`${first} held at ${number}`);
    if (!isHeld) return number - 1;
  }
  return MOST_QUESTIONS;
}

const SECOND = 1_000;
/** Payments whose claims and SMS come at one moment, and how often. */
const AT_ONCE = 8;
const ROUNDS = 5;

/** @returns what makes a payment of that wallet, whose claim and SMS have yet to come. */
async function meetings(t: ExecutionContext, channel: MfsChannel) {
  const { clock, core, shop, money } = await scene(t, 'postgres');
  await setAccount(core, {
    brand: shop.brand.name,
    channel,
    type: 'personal',
    number: WALLET,
    who: 'test',
  });
  let delivered = 0;
  const meet = async (): Promise<Meeting> => {
    const session = await shop.order(50_000);
    clock.advance(60 * SECOND);
    const {
      sender,
      text: body,
      trxId,
    } = channel === 'mfs_a'
      ? { sender: 'bKash', ...money('500.00') }
      : walletPayment(channel, '500.00', clock.now());
    clock.advance(7 * SECOND);
    delivered += 1;
    const sms = { id: `w${delivered}`, sender, body, received_at: dhakaIso(clock.now()), sim_slot: 1 };
    return {
      claim: (own) => answer(own, shop, session, trxId, channel),
      sms: (own) => syncDevice(own, { device: shop.device, messages: [sms], health: null }),
      isPaid: async () => (await showPayment(core, session)).status === 'COMPLETED',
    };
  };
  return { core, meet };
}

for (const channel of MFS_CHANNELS) {
  for (const first of ['claim', 'sms'] as const) {
    test(`${channel}: a claim and its SMS meet wherever the ${first} is held`, async (t) => {
      const { core, meet } = await meetings(t, channel);
      const lost: string[] = [];
      const held = await meetEverywhere(meet, core, first, lost);
      t.deepEqual(lost, []);
      t.true(held >= 3, `held at ${held} questions`);
      t.true(held < MOST_QUESTIONS);
    });
  }

  test.serial(`${channel}: claims and their SMS that come at one moment meet`, async (t) => {
    const { core, meet } = await meetings(t, channel);
    for (let round = 0; round < ROUNDS; round += 1) {
      const all = [];
      for (let at = 0; at < AT_ONCE; at += 1) all.push(await meet());
      await Promise.all(
        all.flatMap(({ claim, sms }, at) => {
          const works = [claim, sms].map((work) => work(core));
          return (at + round) % 2 === 0 ? works : works.reverse();
        }),
      );
      for (const [at, { isPaid }] of all.entries()) t.true(await isPaid(), `${at} of round ${round}`);
    }
  });
}
