/** The wallets: money that customers send, and the SMS that shops' phones get of it. */
import { dhakaText } from '../../../src/base/values/clock.js';
import { formatTaka } from '../../../src/base/values/money.js';
import { writeSms } from '../../../src/channels/mfs/index.js';
import { KINDS_OF_TYPE, type MfsChannel } from '../../../src/domain/accounts/channels.js';
import { WALLET } from '../../../src/domain/wallets/index.js';
import type { Chance } from '../machine/chance.js';
import type { Time } from '../machine/time.js';
import type { Money, Observed } from './observed.js';

export interface Sms {
  readonly sender: string;
  readonly body: string;
}

export interface WalletParts {
  readonly time: Time;
  readonly observed: Observed;
  /** The right time, milliseconds since the epoch. */
  now(): number;
  /** Brings an SMS to all phones of a shop. */
  deliver(shop: number, sms: Sms): void;
}

export interface Payment {
  readonly channel: MfsChannel;
  readonly shop: number;
  readonly paisa: number;
  /** What the customer writes into the wallet's reference field; null for nothing. */
  readonly reference: string | null;
}

export class Wallets {
  private readonly used = new Set<string>();
  /** What is in each wallet of each shop, in paisa. */
  private readonly balances = new Map<string, number>();

  constructor(private readonly parts: WalletParts) {}

  /** Moves money. Its SMS comes after a while, sometimes twice, sometimes much later. */
  pay({ channel, shop, paisa, reference }: Payment, chance: Chance): Money {
    const { observed, now } = this.parts;
    const money = { channel, amountPaisa: paisa, at: now(), kinds: KINDS_OF_TYPE.personal, reference };
    let sms = writeSms(money, chance.bytes);
    while (sms !== null && this.used.has(sms.trxId)) sms = writeSms(money, chance.bytes);
    if (sms === null) throw new Error(`${channel} writes no SMS of money that came in`);
    this.used.add(sms.trxId);
    const moved: Money = {
      channel,
      reference: sms.trxId.toUpperCase(),
      amount: BigInt(paisa),
      shop,
      session: null,
      isReversed: false,
      isReal: true,
    };
    observed.money.push(moved);
    const balance = this.balances.get(`${channel} ${shop}`) ?? 0;
    this.balances.set(`${channel} ${shop}`, balance + paisa);
    const body = withBalance(sms.body, paisa, balance + paisa);
    this.send(shop, { sender: sms.sender, body }, chance);
    return moved;
  }

  private send(shop: number, { sender, body }: Sms, chance: Chance): void {
    const copies = chance.is(0.1) ? 2 : 1;
    for (let copy = 0; copy < copies; copy += 1) {
      const ms = chance.is(0.1) ? chance.whole(20_000, 240_000) : chance.whole(300, 8_000);
      this.parts.time.timers().after(ms, () => this.parts.deliver(shop, { sender, body }));
    }
  }

  /** The wallet takes money back, and says so. */
  reverse(money: Money, chance: Chance): void {
    money.isReversed = true;
    const taka = formatTaka(Number(money.amount));
    const body = `Your received amount Tk ${taka} has been reversed. TrxID ${money.reference} at ${dhakaText(this.parts.now()).slice(0, 16)}`;
    const sender = WALLET[money.channel as MfsChannel].senders.official;
    this.parts.observed.reversals.push({ money, text: body });
    this.send(money.shop, { sender, body }, chance);
  }

  /** A text like the wallet's from the phone of a cheat, perhaps with the id of money that is another's. */
  forge(shop: number, paisa: number, chance: Chance): string {
    const money = {
      channel: 'mfs_a',
      amountPaisa: paisa,
      at: this.parts.now(),
      kinds: KINDS_OF_TYPE.personal,
    } as const;
    const sms = writeSms({ ...money, reference: null }, chance.bytes);
    if (sms === null) throw new Error('no text to imitate');
    const sender = chance.pick(['+8801911111111', '01911111111', 'bKash-BD', 'BKASH.', '16247 ']);
    this.parts.deliver(shop, { sender, body: sms.body });
    return sms.trxId;
  }
}

/** What `writeSms` writes as the balance, with and without commas. */
const FIXED_REST = 432_150;

/** @returns the text with the balance that its wallet really has. */
function withBalance(body: string, paisa: number, balance: number): string {
  const grouped = (text: string) => text.replace(/\d(?=(?:\d{3})+\.)/g, '$&,');
  const [fixed, real] = [formatTaka(paisa + FIXED_REST), formatTaka(balance)];
  return body.replace(grouped(fixed), grouped(real)).replace(fixed, real);
}
