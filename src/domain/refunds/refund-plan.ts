/** Decides how much of a payment may be sent back, and to which payer. Pure: knows no store. */
import type { Paisa } from '../../base/values/money.js';
import { CHANNEL, checkedNumber, type PayChannel } from '../accounts/channels.js';
import { fullPayer } from '../matching/payer.js';

export const REFUND_STATES = ['PENDING', 'COMPLETED', 'CANCELLED'] as const;
/** `PENDING`: to be sent. `COMPLETED`: sent, as a proof or the operator says. */
export type RefundState = (typeof REFUND_STATES)[number];

/** Money of a payment, or money that paid for nothing. */
export interface RefundableMoney {
  /** Id of the proof. */
  readonly proof: string;
  readonly channel: PayChannel;
  readonly amountPaisa: Paisa;
  /** USDT in base units, as digits; null of taka. */
  readonly units: string | null;
  /** Payer as the proof shows it. */
  readonly payer: string | null;
  /** Kind of the text or push. */
  readonly kind: string;
  /** True if it came from another wallet or bank: then the number is not one of this channel. */
  readonly isFromElsewhere: boolean;
  /** True while another text contradicts it, and no operator has confirmed it. */
  readonly isDisputed: boolean;
}

interface EarlierRefund {
  readonly proof_id: string;
  readonly amount_paisa: Paisa;
  readonly state: RefundState;
}

export interface PlannedRefund extends Payee {
  /** The latest money that goes back by it. */
  readonly proof: string;
  readonly channel: PayChannel;
  readonly amountPaisa: Paisa;
  readonly units: string | null;
}

export type RefundPlan =
  | { readonly outcome: 'planned'; readonly refunds: readonly PlannedRefund[] }
  | { readonly outcome: 'more_than_paid'; readonly mostPaisa: Paisa }
  /** `mostPaisa`: the fees that may still be sent back, if the caller names the amount. */
  | { readonly outcome: 'nothing_left'; readonly mostPaisa: Paisa }
  | { readonly outcome: 'disputed' };

interface Refundable {
  /** All money of the payment, oldest first. */
  readonly money: readonly RefundableMoney[];
  /** Its refunds so far. */
  readonly earlier: readonly EarlierRefund[];
  /** The fees in the money that may go back, which do so only if the caller names the amount. */
  readonly feePaisa: Paisa;
  /** Id of the only proof whose money may go back; null for all. */
  readonly only: string | null;
}

/** @param paisa amount that the caller named; null for all that was paid without fees and not sent back. */
export function planRefund({ money, earlier, feePaisa, only }: Refundable, paisa: Paisa | null): RefundPlan {
  const concerned = only === null ? money : money.filter(({ proof }) => proof === only);
  if (concerned.some(({ isDisputed }) => isDisputed)) return { outcome: 'disputed' };
  const valid = earlier.filter(({ state }) => state !== 'CANCELLED');
  const groups = groupByPayee(money).flatMap((all) => {
    const named = all.find(({ proof }) => proof === only);
    const group: Group | null = only === null ? all : named === undefined ? null : [named];
    // An earlier refund of the payee's other money may contain this money, too.
    return group === null ? [] : [{ group, left: Math.min(leftOf(group, valid), leftOf(all, valid)) }];
  });
  const mostPaisa = groups.reduce((sum, { left }) => sum + left, 0);
  const netPaisa = groups.reduce((sum, { group }) => sum + leftOf(group, valid), -feePaisa);
  const wantedPaisa = paisa ?? Math.min(mostPaisa, netPaisa);
  if (mostPaisa <= 0 || wantedPaisa <= 0) return { outcome: 'nothing_left', mostPaisa };
  if (wantedPaisa > mostPaisa) return { outcome: 'more_than_paid', mostPaisa };
  let rest = wantedPaisa;
  const refunds: PlannedRefund[] = [];
  for (const { group, left } of groups) {
    const amountPaisa = Math.min(left, rest);
    if (amountPaisa > 0) refunds.push(toRefund(group, amountPaisa));
    rest -= amountPaisa;
  }
  return { outcome: 'planned', refunds };
}

type Group = readonly [RefundableMoney, ...RefundableMoney[]];

/** Groups the money that goes back by one transfer; latest first, as is the money of each group. */
function groupByPayee(money: readonly RefundableMoney[]): Group[] {
  const groups = new Map<string, [RefundableMoney, ...RefundableMoney[]]>();
  for (const one of money.toReversed()) {
    const { payee } = findPayee(one);
    const name = payee === null ? one.proof : `${one.channel} ${payee}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, [one]);
    else group.push(one);
  }
  return [...groups.values()];
}

const sumOf = (money: readonly RefundableMoney[]) => money.reduce((sum, one) => sum + one.amountPaisa, 0);

function leftOf(group: Group, valid: readonly EarlierRefund[]): Paisa {
  const own = valid.filter(({ proof_id }) => group.some(({ proof }) => proof === proof_id));
  return own.reduce((sum, { amount_paisa }) => sum - amount_paisa, sumOf(group));
}

function toRefund(group: Group, amountPaisa: Paisa): PlannedRefund {
  const [latest] = group;
  const { proof, channel, units, amountPaisa: paidPaisa } = latest;
  return {
    proof,
    channel,
    amountPaisa,
    // Rounded down, so that the refunds of a transfer are never more than it brought.
    units: units === null ? null : String((BigInt(units) * BigInt(amountPaisa)) / BigInt(paidPaisa)),
    ...findPayee(latest),
  };
}

/** Kinds of texts whose number is the payer's own. In others it is an agent's, or nobody's. */
const KINDS_OF_PAYERS: readonly string[] = ['received', 'payment_received', 'cash_out_received'];

interface Payee {
  /** Payer as the proof shows it, sometimes masked; null where it shows none. */
  readonly shown: string | null;
  /** Where the money must go; null until an operator completes it. */
  readonly payee: string | null;
}

/** Finds who must get the money back. Nobody may name it where the proof shows the payer in full. */
function findPayee(money: RefundableMoney): Payee {
  const { channel, payer, kind, isFromElsewhere } = money;
  const row = CHANNEL[channel];
  switch (row.kind) {
    case 'sms': {
      // The number of an agent says nothing of the payer.
      if (!KINDS_OF_PAYERS.includes(kind)) return { shown: null, payee: null };
      if (payer === null || isFromElsewhere) return { shown: payer, payee: null };
      return { shown: payer, payee: checkedNumber(row.channel, payer) ?? fullPayer(payer) };
    }
    case 'push':
      return { shown: payer, payee: fullPayer(payer) };
    case 'pull':
      // An address may be that of an exchange, which sends for many; a number at an exchange is a person's.
      return { shown: payer, payee: row.source === 'exchange' && /^\d+$/.test(payer ?? '') ? payer : null };
    case 'manual':
      return { shown: payer, payee: null };
    default:
      return row satisfies never;
  }
}
