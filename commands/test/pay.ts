/** `kashbox test pay` */
import { option } from '@oclif/core/flags';
import { type SimulatedMoney, simulatePayment } from '../../src/actions/test-payments/simulate-payment.js';
import { command } from '../../src/cli/command/define.js';
import { oneWord } from '../../src/cli/command/flags.js';
import { formatKeyValues } from '../../src/cli/text/table.js';
import { MFS_ACCOUNT_TYPES, MFS_CHANNELS } from '../../src/domain/accounts/channels.js';
import { SCENARIOS } from '../../src/domain/accounts/test-accounts.js';
import { WALLET } from '../../src/domain/wallets/index.js';

const TYPES = [...new Set(Object.values(MFS_ACCOUNT_TYPES).flat())];

export default command({
  summary: 'Simulate a wallet payment for a test brand.',
  description:
    'Writes the SMS that the wallet would send and processes it like one from a phone; the payment ' +
    'settles as with real money. Payments of live brands are refused. Scenarios: exact, the amount due; ' +
    'less; more; other_type, to an account of another type; old, a payment from before; unclaimed, ' +
    'without the payment reference, so that its transaction ID has to be entered on the page or verified ' +
    'by API.',
  examples: [
    '$ K7Q2M9XW4TZB',
    '$ 2b37b7eabf3f93b131a98370d3e060e9 --channel mfs_b --scenario less',
    '$ K7Q2M9XW4TZB --scenario unclaimed --json',
  ],
  args: { payment: oneWord('Payment number or ID') },
  flags: {
    channel: option({ options: MFS_CHANNELS, description: 'Wallet (default: the first of the brand).' })(),
    type: option({ options: TYPES, description: 'Account type (default: personal).' })(),
    scenario: option({ options: SCENARIOS, default: 'exact', description: 'Scenario (default: exact).' })(),
  },
  async run({ cli, flags, args }) {
    const { channel, type, scenario: play } = flags;
    const played = await simulatePayment(await cli.core(), { ...args, channel, type, play, who: cli.who });
    cli.show(played, flags, playedSheet);
  },
});

function playedSheet(played: SimulatedMoney): string[] {
  const { channel, type, number, amount, transaction_id } = played;
  return [
    ...formatKeyValues([
      ['Test', 'simulated, no real money'],
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

function outcomeText({ outcome, about, channel, transaction_id }: SimulatedMoney): string {
  switch (outcome) {
    case 'completed':
      return 'the payment is completed';
    case 'part':
      return 'a part is paid; the rest is still due';
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
