/** `kashbox sms add` */
import { addSms } from '../../src/actions/sms/add-sms.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededMerchant, text } from '../../src/cli/command/flags.js';
import { momentMs } from '../../src/cli/input/time.js';
import { countsAs } from '../../src/cli/text/explain-reading.js';

export default command({
  summary: 'Add an SMS that the phone missed.',
  description:
    'It is stored and checked like a relayed SMS and may settle a waiting payment. Copy sender and text ' +
    'exactly as the phone shows them. The audit log records that you entered it.',
  examples: [
    '$ --merchant "Amar Dokan" --recipient 01712345678 --sender bKash --text "You have received Tk 500.00 from 01812345678. Fee Tk 0.00. Balance Tk 1,500.00. TrxID DHL7KQ2P0Z at 21/08/2026 12:35" --received-at "2026-08-21 12:36"',
  ],
  flags: {
    merchant: neededMerchant,
    recipient: needed('NUMBER', 'Number of the SIM that received it.', 'digits'),
    sender: needed('SENDER', 'Sender as the phone shows it.'),
    text: needed('TEXT', 'The whole text.'),
    'received-at': text('WHEN', 'Time of arrival: 10m ago, or a Bangladesh time (default: now).'),
  },
  async run({ cli, flags }) {
    const core = await cli.core();
    const { merchant, recipient, sender, text, receivedAt: when } = flags;
    const now = core.clock.now();
    const receivedAtMs = when === undefined ? undefined : momentMs('received-at', when, now, 'any');
    const added = await addSms(core, { merchant, recipient, sender, text, receivedAtMs, who: cli.who });
    cli.show(added, flags, ({ state, settled, reading }) => [
      // With what else is known it may count, although its text alone does not.
      `${state === 'duplicate' ? 'This SMS was already stored.' : 'Stored.'} ${countsAs(
        settled.length > 0 ? { ...reading, settle: 'auto' } : reading,
      )}`,
      ...settled.map((id) => `Payment ${id} is completed by it.`),
    ]);
  },
});
