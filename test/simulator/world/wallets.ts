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

interface SentMoney {
  readonly shop: number;
  readonly paisa: number;
  readonly payee: string;
}

export class Wallets {
  private readonly used = new Set<string>();
  /** What is in each wallet of each shop, in paisa. */
  private readonly balances = new Map<string, number>();

  constructor(private readonly parts: WalletParts) {}

  /** Moves money. Its SMS comes after a while, sometimes twice, sometimes much later. */
  pay({ channel, shop, paisa, reference }: Payment, chance: Chance): Money {
    const { observed } = this.parts;
    let sms = this.write({ channel, paisa, reference }, chance);
    while (this.used.has(sms.trxId)) sms = this.write({ channel, paisa, reference }, chance);
    this.used.add(sms.trxId);
    const payer = `0171100008${chance.whole(0, 9)}`;
    const isShown = channel === 'mfs_a' && PAYER.test(sms.body);
    const moved: Money = {
      ...(isShown ? { payer } : {}),
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
    const text = isShown ? sms.body.replace(PAYER, ` from ${payer}`) : sms.body;
    const body = withBalance(text, paisa, balance + paisa);
    this.send(shop, { sender: sms.sender, body }, chance);
    return moved;
  }

  /** What a wallet writes now about money that came in. */
  private write({ channel, paisa, reference }: Omit<Payment, 'shop'>, chance: Chance) {
    const at = this.parts.now();
    const money = { channel, amountPaisa: paisa, at, kinds: KINDS_OF_TYPE.personal, reference };
    const sms = writeSms(money, chance.bytes);
    if (sms === null) throw new Error(`${channel} writes no SMS of money that came in`);
    return sms;
  }

  /** An owner sends money from the shop's wallet, if there is enough. Its SMS comes as any other. */
  sendBack({ shop, paisa, payee }: SentMoney, chance: Chance): void {
    const key = `mfs_a ${shop}`;
    const balance = (this.balances.get(key) ?? 0) - paisa - FEE_PAISA;
    if (balance < 0) return;
    this.balances.set(key, balance);
    const { text, reference } = this.sentText(paisa, payee, balance, chance);
    this.parts.observed.transfers.push({ reference, payee, paisa, text });
    this.send(shop, { sender: WALLET.mfs_a.senders.official, body: text }, chance);
  }

  /** A text of money that was never sent. Its writer imitates the sender, but does not know the balance. */
  forgeSent({ shop, paisa, payee }: SentMoney, chance: Chance): void {
    const { text: body } = this.sentText(paisa, payee, chance.whole(1_000, 9_000_000), chance);
    const { official } = WALLET.mfs_a.senders;
    this.parts.deliver(shop, { sender: chance.pick([official, official, '01911111111', 'BKASH.']), body });
  }

  private sentText(paisa: number, payee: string, balance: number, chance: Chance) {
    const reference = this.write({ channel: 'mfs_a', paisa, reference: null }, chance).trxId;
    const [date = '', time = ''] = dhakaText(this.parts.now()).slice(0, 16).split(' ');
    const stamp = `${date.split('-').reverse().join('/')} ${time}`;
    const [amount, fee, rest] = [paisa, FEE_PAISA, balance].map((sum) => `Tk ${formatTaka(sum)}`);
    const text = `Send Money ${amount} to ${payee} successful. Fee ${fee}. Balance ${rest}. TrxID ${reference} at ${stamp}`;
    return { text, reference };
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
    const sms = this.write({ channel: 'mfs_a', paisa, reference: null }, chance);
    const sender = chance.pick(['+8801911111111', '01911111111', 'bKash-BD', 'BKASH.', '16247 ']);
    this.parts.deliver(shop, { sender, body: sms.body });
    return sms.trxId;
  }
}

const FEE_PAISA = 500;
const PAYER = / from \d{11}\b/;

/** What `writeSms` writes as the balance, with and without commas. */
const FIXED_REST = 432_150;

/** @returns the text with the balance that its wallet really has. */
function withBalance(body: string, paisa: number, balance: number): string {
  const grouped = (text: string) => text.replace(/\d(?=(?:\d{3})+\.)/g, '$&,');
  const [fixed, real] = [formatTaka(paisa + FIXED_REST), formatTaka(balance)];
  return body.replace(grouped(fixed), grouped(real)).replace(fixed, real);
}
