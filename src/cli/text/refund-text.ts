/** Texts about refunds: the payee, the sum and the app of the transfer, and what happens after it. */
import type { SheetEntry } from '../../actions/input/view.js';
import type { ListedTransfer, RefundView } from '../../actions/refunds/list-refunds.js';
import { minute } from '../../base/values/clock.js';
import { CHANNEL, channelText, isOnChain, KINDS_OF_TYPE } from '../../domain/accounts/channels.js';
import type { SentReason } from '../../domain/refunds/choose-refund.js';
import { formatKeyValues } from './table.js';

const amountOf = ({ amount, amount_usdt: usdt }: Pick<RefundView, 'amount' | 'amount_usdt'>) =>
  usdt === null ? `Tk ${amount}` : `${usdt} USDT`;

/** What the shopkeeper calls the transfer in the app, by the account that received the money. */
function wayOf({ payment_method: channel, money_kind: kind }: RefundView): string {
  const row = CHANNEL[channel];
  const name = row.name.en;
  switch (row.kind) {
    case 'sms':
      if (KINDS_OF_TYPE.agent.includes(kind)) return `with ${name} Cash In`;
      return KINDS_OF_TYPE.payment.includes(kind)
        ? `with the ${name} merchant app`
        : `with ${name} Send Money`;
    case 'push':
      return "with your bank's app";
    case 'pull':
      return row.source === 'chain' ? 'on BNB Smart Chain (BEP20)' : `with ${name}`;
    case 'manual':
      return 'with a bank transfer';
    default:
      return row satisfies never;
  }
}

/** Says what to do next about a refund. */
export function refundAdvice(view: RefundView): string[] {
  const { id, pay_to: to, pay_from: from, payment_method: channel, money_kind: kind } = view;
  switch (view.status) {
    case 'COMPLETED':
      return [`${amountOf(view)} was sent back to ${to ?? view.pay_to_shown ?? 'the customer'}.`];
    case 'CANCELLED':
      return [`${view.closed_by} has cancelled it: send nothing.`];
    case 'PENDING': {
      if (to === null) return missingPayee(view);
      const origin = from === null ? '' : ` from ${from}`;
      const isSms = CHANNEL[channel].kind === 'sms';
      // An agent pays in for many customers, so the SMS of a Cash In says nothing of a refund.
      const isAgent = isSms && KINDS_OF_TYPE.agent.includes(kind);
      const closeBy = (transfer: string) => `kashbox refunds close ${id} --reference ${transfer} --note WHY`;
      const close = closeBy('ID-OF-THE-TRANSFER');
      const seen = view.seen_transfer;
      return [
        ...(seen === null
          ? []
          : [
              `A transfer of ${amountOf(view)} has left already: ${seen}. If it was this refund, do not send it again: ${closeBy(seen)}`,
              'If it was another one:',
            ]),
        `Send ${amountOf(view)} ${wayOf(view)} to ${to}${origin}.`,
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
  const { kind } = CHANNEL[channel];
  const isChain = isOnChain(channel);
  const what = kind === 'sms' || kind === 'push' ? 'number' : isChain ? 'address' : 'account';
  const seen =
    shown === null
      ? 'The proof does not show who paid'
      : isChain
        ? `It was paid from ${shown}, which may belong to an exchange`
        : `The proof shows only ${shown}`;
  return [
    `${seen}. Get the ${what} from the customer, then: kashbox refunds update ${id} --number ${what.toUpperCase()}`,
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
  return [
    head,
    `  ${minute(view.created_at)}, ${note}`,
    ...refundAdvice(view).map((line) => `  ${line}`),
    '',
  ];
}

const SENT_REASONS: Readonly<Record<SentReason, string>> = {
  no_refund: 'No refund of this sum was pending.',
  several_refunds: 'Several pending refunds had this sum and number.',
  other_number: 'A pending refund had this sum, but another number.',
  number_missing: 'A pending refund had this sum, but no number yet.',
  sent_again: 'A refund of this sum to this number was completed before: it may have been sent twice.',
  refund_cancelled: 'The refund of this sum was cancelled.',
  balance_gap: 'Its balance did not follow from the SMS before it.',
  text_doubtful: 'The SMS may be forged.',
  taken_back: 'A later message says that it was reversed, returned or has failed.',
};

/** @param reason name of the reason why a transfer completed no refund. */
export const sentReasonText = (reason: string): string =>
  Object.entries(SENT_REASONS).find(([name]) => name === reason)?.[1] ?? reason;

/** One transfer that belongs to no refund, as lines of a list. */
export function sentCard(row: ListedTransfer): string[] {
  const { transaction_id: id, payment_method: channel, to, from, amount, amount_usdt, at, reason } = row;
  const sum = amount === null ? `${amount_usdt} USDT` : `${amount} BDT`;
  const origin = from === null ? '' : ` from ${from}`;
  return [
    `${id}  ${minute(at)}  ${sum} with ${channelText(channel)}${origin} to ${to}`,
    ...(reason === null ? [] : [`  ${sentReasonText(reason)}`]),
    `  If it is a refund: kashbox refunds close ID --reference ${id} --note WHY`,
    `  If it is not: kashbox sms close ${id} --as own --note WHY`,
    '',
  ];
}
