/**
 * A wallet's books of one day, by its own SMS: the balance when the day begins and ends, what came in and
 * went out, and where the balances say otherwise. Pure; knows neither payments nor the store.
 *
 * Every SMS moves a running balance by what it says. One that tells its balance sets it right; by how much is
 * a difference, unless a fee or commission that is not printed explains it. So to the paisa:
 * end = begin + in - out - fees + differences.
 */
import { type Stretch, stretchesOf } from './balance-chain.js';
import { type ChainLink, isDoubtful, linksOf, type ReadText } from './balance-link.js';

/** What is known of a wallet when a day begins. Money in paisa, times in milliseconds since the epoch. */
export interface WalletState {
  /** Null while no SMS has told it. */
  readonly balance: number | null;
  /** Since it was told last, money may have moved by an amount that no text says for certain. */
  readonly isUnclear: boolean;
  /** The last SMS, and when its money moved. */
  readonly last: { readonly id: string; readonly atMs: number } | null;
  /** The newest texts: what they report is not counted twice. */
  readonly texts: readonly ReadText[];
}

/** Somewhere between two SMS the balance moved by more or less than texts say. */
export interface Difference {
  /** The SMS whose balance does not follow. */
  readonly id: string;
  /** Negative where money went out. */
  readonly paisa: number;
  readonly fromMs: number;
  readonly untilMs: number;
  /** A text between them does not say how much moved; else an SMS is missing. */
  readonly isUnclear: boolean;
}

export interface WalletDay {
  /** SMS in which money moved. */
  readonly texts: number;
  /** Null where no SMS up to the end of the day told a balance. */
  readonly begin: number | null;
  readonly end: number | null;
  readonly inPaisa: number;
  readonly outPaisa: number;
  readonly feePaisa: number;
  readonly differences: readonly Difference[];
  /** Of the last SMS; null where there is none. */
  readonly lastMs: number | null;
}

export const UNKNOWN_WALLET: WalletState = { balance: null, isUnclear: false, last: null, texts: [] };

/** Texts that are kept for the next day: a transaction is reported again within a few. */
const KEPT_TEXTS = 50;

/** What one SMS moves. */
interface Move {
  readonly inPaisa: number;
  readonly outPaisa: number;
  readonly feePaisa: number;
}

const STILL: Move = { inPaisa: 0, outPaisa: 0, feePaisa: 0 };
const changeBy = ({ inPaisa, outPaisa, feePaisa }: Move) => inPaisa - outPaisa - feePaisa;

/** @param texts all of one wallet on that day, the oldest first. */
export function walletDay(
  before: WalletState,
  texts: readonly ReadText[],
): { readonly day: WalletDay; readonly state: WalletState } {
  const all = [...before.texts, ...texts];
  const today = new Map(texts.map((text) => [text.id, text]));
  const links = linksOf(all).filter(({ id }) => today.has(id));
  const books = new DayBooks(before, today);
  for (const stretch of stretchesOf(links, before.balance)) books.add(stretch);
  return { day: books.day(links.length), state: books.state(all.slice(-KEPT_TEXTS)) };
}

class DayBooks {
  private begin: number | null;
  private balance: number | null;
  private isUnclear: boolean;
  private last: WalletState['last'];
  private sum = STILL;
  private readonly differences: Difference[] = [];
  private lastMs: number | null = null;

  constructor(
    before: WalletState,
    private readonly texts: ReadonlyMap<string, ReadText>,
  ) {
    this.begin = before.balance;
    this.balance = before.balance;
    this.isUnclear = before.isUnclear;
    this.last = before.last;
  }

  add({ minutes, isJudged }: Stretch): void {
    for (const minute of minutes) {
      const rests: Difference[] = [];
      for (const link of minute) {
        const text = this.texts.get(link.id);
        if (text === undefined) continue;
        if (isJudged && link.after !== null) rests.push(...this.addTold(link, link.after, text));
        else this.addUntold(text);
        this.lastMs = Math.max(this.lastMs ?? 0, text.atMs);
        this.last = { id: text.id, atMs: text.atMs };
      }
      this.settle(minute, rests);
    }
  }

  day(texts: number): WalletDay {
    const { begin, balance: end, sum, differences, lastMs } = this;
    return { texts, begin, end, ...sum, differences, lastMs };
  }

  state(texts: readonly ReadText[]): WalletState {
    const { balance, isUnclear, last } = this;
    return { balance, isUnclear, last, texts };
  }

  /** A text that tells the balance after it. @returns what it leaves unexplained. */
  private addTold(link: ChainLink, after: number, text: ReadText): Difference[] {
    const rests: Difference[] = [];
    if (this.balance === null) {
      // The first balance that is known; what is before it follows from what the texts say.
      const move = link.before === null ? STILL : saidBy(text);
      this.book(move);
      this.begin = after - changeBy(this.sum);
    } else {
      const jump = after - this.balance;
      const move = link.before === null ? likeliest(text, jump) : saidBy(text);
      this.book(move);
      const isUnclear = this.isUnclear || link.before === null;
      const [fromMs, untilMs] = [this.last?.atMs ?? text.atMs, text.atMs];
      const paisa = jump - changeBy(move);
      if (paisa !== 0) rests.push({ id: text.id, paisa, fromMs, untilMs, isUnclear });
    }
    this.balance = after;
    this.isUnclear = false;
    return rests;
  }

  /**
   * What is left of a minute is a fee or a commission that is not printed, where it is small enough; all of
   * the minute together, because its SMS may stand in another order.
   */
  private settle(minute: readonly ChainLink[], rests: readonly Difference[]): void {
    const last = rests.at(-1);
    if (last === undefined) return;
    const feeUpTo = minute.reduce((sum, link) => sum + link.feeUpTo, 0);
    const commissionUpTo = minute.reduce((sum, link) => sum + link.commissionUpTo, 0);
    const paisa = rests.reduce((sum, rest) => sum + rest.paisa, 0);
    if (feeUpTo === 0 && commissionUpTo === 0) this.differences.push(...rests);
    else if (paisa < -feeUpTo || paisa > commissionUpTo) this.differences.push({ ...last, paisa });
    else this.book({ inPaisa: Math.max(0, paisa), outPaisa: 0, feePaisa: Math.max(0, -paisa) });
  }

  /** One that tells no balance, or whose place among those of its minute is not known. */
  private addUntold(text: ReadText): void {
    const isCertain =
      text.amountPaisa !== null && !isDoubtful(text) && (text.credit || text.kind === OUTGOING);
    if (!isCertain) {
      this.isUnclear = true;
      return;
    }
    const move = saidBy(text);
    this.book(move);
    if (this.balance !== null) this.balance += changeBy(move);
  }

  private book(move: Move): void {
    this.sum = {
      inPaisa: this.sum.inPaisa + move.inPaisa,
      outPaisa: this.sum.outPaisa + move.outPaisa,
      feePaisa: this.sum.feePaisa + move.feePaisa,
    };
  }
}

const OUTGOING = 'outgoing';

function saidBy({ credit, amountPaisa, feePaisa }: ReadText): Move {
  const amount = amountPaisa ?? 0;
  return credit ? { ...STILL, inPaisa: amount } : { inPaisa: 0, outPaisa: amount, feePaisa: feePaisa ?? 0 };
}

/** Of a text that does not say what moved, what the balance shows, as far as its amount explains it. */
function likeliest(text: ReadText, jump: number): Move {
  const [amount, fee] = [text.amountPaisa ?? 0, text.feePaisa ?? 0];
  const moves: readonly Move[] = [
    { ...STILL, inPaisa: amount },
    { inPaisa: amount, outPaisa: 0, feePaisa: fee },
    { inPaisa: 0, outPaisa: amount, feePaisa: fee },
    { ...STILL, outPaisa: amount },
  ];
  return moves.find((move) => changeBy(move) === jump) ?? (text.credit ? saidBy(text) : STILL);
}
