/** The installation before the first customer comes, made once a process by the operator's own actions. */
import { setAccount } from '../../../src/actions/accounts/set-account.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import type { Core } from '../../../src/actions/core/core.js';
import { sealPurpose } from '../../../src/actions/core/sealing.js';
import { enrollDevice } from '../../../src/actions/devices/enroll-device.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { hashKey } from '../../../src/base/io/secret.js';
import { newRowId } from '../../../src/base/values/ids.js';
import { MFS_CHANNELS } from '../../../src/domain/accounts/channels.js';
import { insertNode } from '../../../src/store/tables/nodes.js';
import { Disk, type Image } from '../disk/disk.js';
import { Chance } from '../machine/chance.js';
import { Time } from '../machine/time.js';
import { CHAIN_ID, RECEIVERS } from './chain.js';
import { Machine } from './machine.js';

export const SHOPS = 2;
/** Payments are open for so long: some customers are late, and others must not wait for hours. */
export const SESSION_MINUTES = 2;
export const NODES = ['https://one.example', 'https://two.example', 'https://three.example'] as const;

export interface GroundShop {
  readonly key: string;
  readonly webhookSecret: string;
  readonly number: string;
  readonly receiver: string;
}

export interface GroundPhone {
  readonly shop: number;
  readonly id: string;
  readonly deviceKey: string;
  readonly gatewayKey: string;
}

export interface Ground {
  readonly image: Image;
  readonly shops: readonly GroundShop[];
  readonly phones: readonly GroundPhone[];
}

const who = 'operator';

/** @returns the disk with two shops, these phones and three nodes of a chain, and what their people know. */
export async function makeGround(phones: number): Promise<Ground> {
  const chance = new Chance('ground');
  const time = new Time();
  const disk = new Disk(chance.part);
  const post = () => () => new Promise<never>(() => {});
  const machine = new Machine({ time, disk, chance, chain: null, post });
  const daemon = machine.add('setup', 0);
  const finish = async <T>(work: Promise<T>): Promise<T> => {
    let isOver = false;
    const ended = work.finally(() => {
      isOver = true;
    });
    ended.catch(time.fail);
    while (!isOver) {
      await time.runPlanned();
      // Modules are loaded, which takes real time and no simulated one.
      await new Promise((resolve) => void setTimeout(resolve, 1));
    }
    return ended;
  };
  await finish(daemon.start({ hasLoops: false }));
  const made = await finish(daemon.serve((core) => fill(core, phones)));
  await finish(daemon.close());
  await time.run(time.now);
  return { image: disk.image(), ...made };
}

async function fill(core: Core, phones: number): Promise<Omit<Ground, 'image'>> {
  const shops: GroundShop[] = [];
  for (let shop = 0; shop < SHOPS; shop += 1) shops.push(await addShop(core, shop));
  const enrolled: GroundPhone[] = [];
  for (let phone = 0; phone < phones; phone += 1) {
    const shop = phone % SHOPS;
    const sims = [`1=${shops[shop]?.number}`];
    const made = await enrollDevice(core, { merchant: `Shop ${shop}`, name: `Phone ${phone}`, sims, who });
    enrolled.push({ shop, id: made.device.id, deviceKey: made.device_key, gatewayKey: made.gateway_key });
  }
  await addNodes(core);
  return { shops, phones: enrolled };
}

async function addShop(core: Core, shop: number): Promise<GroundShop> {
  const name = `Shop ${shop}`;
  const number = `0171100000${shop}`;
  const receiver = RECEIVERS[shop] ?? '';
  const webhookUrl = `https://shop${shop}.example/notify`;
  const profile = { webhookUrl, sessionMinutes: SESSION_MINUTES, apiRefunds: '1000000' };
  const made = await createMerchant(core, { name, allowIps: [], who, ...profile });
  for (const channel of MFS_CHANNELS) {
    await setAccount(core, { brand: name, channel, type: 'personal', number, who });
  }
  await setRate(core, { brand: name, rate: '120', who });
  await setAccount(core, { brand: name, channel: 'bep20', number: receiver, who });
  return { key: made.brand_key, webhookSecret: made.webhook_secret, number, receiver };
}

async function addNodes(core: Core): Promise<void> {
  await core.store.write(async (db) => {
    const now = core.clock.now();
    for (const [priority, url] of NODES.entries()) {
      const id = newRowId(core.random, now, 'node');
      await insertNode(db, {
        id,
        chain_id: CHAIN_ID,
        origin: url,
        url: core.secrets.seal(url, sealPurpose('node', id)),
        url_hash: hashKey(url),
        priority,
        batches: 1,
        created_at: now,
      });
    }
  });
}
