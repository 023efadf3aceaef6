/**
 * Daily statement of a wallet, derived from its own SMS: balance at the beginning and the end of the day,
 * money in and out, and the differences from the reported balances. Pure; knows neither payments nor the
 * store.
 * Every SMS changes a running balance by the amount that it reports. An SMS with a balance corrects the
 * running balance; the correction is a difference, unless an unprinted fee or commission explains it. So to
 * the paisa: end = begin + in - out - fees + differences.
 */
import { type BalanceRun, splitIntoRuns } from './balance-chain.js';
import { type ChainLink, isDoubtful, type ReadText, toChainLinks } from './balance-link.js';

/** State of a wallet at the beginning of a day. Money in paisa, times in milliseconds since the epoch. */
export interface WalletState {
  /** Null until an SMS reports it. */
  readonly balance: number | null;
  /** True if an uncertain amount may have moved since the last reported balance. */
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
  /** Null if no SMS up to the end of the day reported a balance. */
  readonly begin: number | null;
  readonly end: number | null;
  readonly inPaisa: number;
  readonly outPaisa: number;
  readonly feePaisa: number;
  readonly differences: readonly Difference[];
  /** Time of the last SMS; null if there is none. */
  readonly lastMs: number | null;
}

export const UNKNOWN_WALLET: WalletState = { balance: null, isUnclear: false, last: null, texts: [] };

/** Texts that are kept for the next day: a transaction is reported again within a few. */
const KEPT_TEXTS = 50;

/** Change of the balance by one SMS. */
interface BalanceChange {
  readonly inPaisa: number;
  readonly outPaisa: number;
  readonly feePaisa: number;
}

const STILL: BalanceChange = { inPaisa: 0, outPaisa: 0, feePaisa: 0 };
const changeBy = ({ inPaisa, outPaisa, feePaisa }: BalanceChange) => inPaisa - outPaisa - feePaisa;

/** @param texts all of one wallet on that day, the oldest first. */
export function walletDay(
  before: WalletState,
  texts: readonly ReadText[],
): { readonly day: WalletDay; readonly state: WalletState } {
  const all = [...before.texts, ...texts];
  const today = new Map(texts.map((text) => [text.id, text]));
  const links = toChainLinks(all).filter(({ id }) => today.has(id));
  const books = new DayBooks(before, today);
  for (const stretch of splitIntoRuns(links, before.balance)) books.add(stretch);
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

  add({ minutes, isJudged }: BalanceRun): void {
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

  /** Adds a text with the balance after it. @returns the part of the change that it does not explain. */
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
   * Books the unexplained rest of a minute as a fee or commission that is not printed, if it is small enough.
   * The SMS of the minute are added up, because their order may be different.
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

  /** Adds a text without a balance, or one whose position in its minute is unknown. */
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

  private book(move: BalanceChange): void {
    this.sum = {
      inPaisa: this.sum.inPaisa + move.inPaisa,
      outPaisa: this.sum.outPaisa + move.outPaisa,
      feePaisa: this.sum.feePaisa + move.feePaisa,
    };
  }
}

const OUTGOING = 'outgoing';

function saidBy({ credit, amountPaisa, feePaisa }: ReadText): BalanceChange {
  const amount = amountPaisa ?? 0;
  return credit ? { ...STILL, inPaisa: amount } : { inPaisa: 0, outPaisa: amount, feePaisa: feePaisa ?? 0 };
}

/** Infers an unreported change from the balance, as far as the text's amount and fee explain it. */
function likeliest(text: ReadText, jump: number): BalanceChange {
  const [amount, fee] = [text.amountPaisa ?? 0, text.feePaisa ?? 0];
  const moves: readonly BalanceChange[] = [
    { ...STILL, inPaisa: amount },
    { inPaisa: amount, outPaisa: 0, feePaisa: fee },
    { inPaisa: 0, outPaisa: amount, feePaisa: fee },
    { ...STILL, outPaisa: amount },
  ];
  return moves.find((move) => changeBy(move) === jump) ?? (text.credit ? saidBy(text) : STILL);
}
