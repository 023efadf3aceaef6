/** Texts about refunds: the payee, the sum and the app of the transfer, and what happens after it. */
import type { SheetEntry } from '../../actions/input/view.js';
import type { ListedTransfer, RefundView } from '../../actions/refunds/list-refunds.js';
import { minute } from '../../base/values/clock.js';
import { CHANNEL, channelText, KINDS_OF_TYPE } from '../../domain/accounts/channels.js';
import { formatKeyValues } from './table.js';

const amountOf = ({ amount, amount_usdt: usdt }: Pick<RefundView, 'amount' | 'amount_usdt'>) =>
  usdt === null ? `Tk ${amount}` : `${usdt} USDT`;

/** What the shopkeeper calls the transfer in the app, by the account that received the money. */
function wayOf({ payment_method: channel, money_kind: kind }: RefundView): string {
  const row = CHANNEL[channel];
  const name = row.name.en;
  if (row.kind === 'manual') return 'a bank transfer';
  if (row.kind !== 'sms') return name;
  if (KINDS_OF_TYPE.agent.includes(kind)) return `${name} Cash In`;
  return KINDS_OF_TYPE.payment.includes(kind) ? `the ${name} merchant app` : `${name} Send Money`;
}

/** Says what to do next about a refund. */
export function refundAdvice(view: RefundView): string[] {
  const { id, pay_to: to, pay_from: from, payment_method: channel, money_kind: kind } = view;
  switch (view.status) {
    case 'COMPLETED':
      return [`Tk ${view.amount} were sent back to ${to ?? view.pay_to_shown ?? 'the customer'}.`];
    case 'CANCELLED':
      return ['It is cancelled: send nothing.'];
    case 'PENDING': {
      if (to === null) return missingPayee(view);
      const origin = from === null ? '' : ` from ${from}`;
      const isSms = CHANNEL[channel].kind === 'sms';
      // An agent pays in for many customers, so the SMS of a Cash In says nothing of a refund.
      const isAgent = isSms && KINDS_OF_TYPE.agent.includes(kind);
      const close = `kashbox refunds close ${id} --reference ID-OF-THE-TRANSFER --note WHY`;
      return [
        `Send ${amountOf(view)} with ${wayOf(view)} to ${to}${origin}.`,
        isSms && !isAgent
          ? 'Kashbox completes the refund when the SMS of the transfer arrives. Send exactly this sum, once.'
          : `Then: ${close}${isAgent ? ' --force' : ''}`,
      ];
    }
    default:
      return view.status satisfies never;
  }
}

function missingPayee({ id, payment_method: channel, pay_to_shown: shown }: RefundView): string[] {
  const seen = shown === null ? 'does not show who paid' : `shows only ${shown}`;
  const { kind } = CHANNEL[channel];
  const what = kind === 'sms' || kind === 'push' ? 'number' : kind === 'pull' ? 'address' : 'account';
  return [
    `The proof ${seen}. Get the ${what} from the customer, then: kashbox refunds update ${id} --number ${what.toUpperCase()}`,
  ];
}

/** One refund in full. */
export function refundSheet(view: RefundView): string[] {
  const entries: SheetEntry[] = [
    ['Refund', view.id],
    ['Payment', view.payment],
    ['Money', view.transaction_id],
    ['Amount', view.amount_usdt === null ? `${view.amount} BDT` : `${view.amount} BDT, ${amountOf(view)}`],
    ['Method', channelText(view.payment_method)],
    [
      'Pay to',
      view.pay_to ?? (view.pay_to_shown === null ? 'not known' : `not known (${view.pay_to_shown})`),
    ],
    ['Status', view.status],
    ['Note', view.note],
    ['Created', `${minute(view.created_at)} by ${view.created_by}`],
    ['Sent as', view.refund_transaction_id],
    ['Fee', view.fee === null ? null : `${view.fee} BDT`],
    ['Completed', view.completed_at === null ? null : `${minute(view.completed_at)} by ${view.closed_by}`],
  ];
  return [...formatKeyValues(entries), '', ...refundAdvice(view)];
}

/** One refund as a few lines of a list. */
export function refundCard(view: RefundView): string[] {
  const { id, payment, transaction_id: money, brand, note } = view;
  const of = payment === null ? `money ${money}` : `payment ${payment}`;
  const shop = brand === null ? '' : `${brand}, `;
  const head = `${id}  ${shop}${of}  ${view.amount} BDT  ${view.status.toLowerCase()}`;
  return [head, `  ${note}`, ...refundAdvice(view).map((line) => `  ${line}`), ''];
}

/** One transfer that belongs to no refund, as lines of a list. */
export function sentCard(row: ListedTransfer): string[] {
  const { transaction_id: id, payment_method: channel, to, from, amount, amount_usdt, at } = row;
  const sum = amount === null ? `${amount_usdt} USDT` : `${amount} BDT`;
  const origin = from === null ? '' : ` from ${from}`;
  return [
    `${id}  ${minute(at)}  ${sum} with ${channelText(channel)}${origin} to ${to}`,
    `  If it is a refund: kashbox refunds close ID --reference ${id} --note WHY`,
    `  If it is not: kashbox sms close ${id} --as own --note WHY`,
    '',
  ];
}
