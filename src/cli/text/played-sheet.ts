/** What a person is told of a payment that was played. */
import type { PlayedMoney } from '../../actions/test-payments/play-money.js';
import { WALLET } from '../../domain/wallets/index.js';
import { sheet } from './table.js';

export function playedSheet(played: PlayedMoney): string[] {
  const { channel, type, number, amount, transaction_id } = played;
  return [
    ...sheet([
      ['Test', 'played, nothing of it is money'],
      ['Payment', played.payment],
      ['Paid', `${amount} BDT by ${WALLET[channel].name.en} to ${type} ${number}`],
      ['Transaction', transaction_id],
      ['Outcome', outcomeText(played)],
    ]),
    '',
    `${played.sender}:`,
    played.text,
  ];
}

function outcomeText({ outcome, about, channel, transaction_id }: PlayedMoney): string {
  switch (outcome) {
    case 'completed':
      return 'the payment is completed';
    case 'under_review':
      return 'a person decides: kashbox verifications list --test';
    case 'refused':
      return `refused, because of the ${(about ?? 'money').replaceAll('_', ' ')}`;
    case 'waiting':
      return `nothing yet: give ${transaction_id} on the page, or to verify with method ${channel}`;
    default:
      return outcome satisfies never;
  }
}
