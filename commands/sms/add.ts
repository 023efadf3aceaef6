/** `kashbox sms add` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class SmsAdd extends BaseCommand {
  static override summary = 'Type in an SMS that the phone has missed.';
  static override description =
    'It is stored and judged like any relayed one and may settle a waiting payment. Copy sender and text exactly ' +
    'as the phone shows them. That you typed it in is kept in the audit.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --recipient 01712345678 --sender bKash --text "You have received Tk 500.00 from 01812345678. Fee Tk 0.00. Balance Tk 1,500.00. TrxID DHL7KQ2P0Z at 21/08/2026 12:35" --received-at "2026-08-21 12:36"',
  ];
  static override flags = {
    merchant: string({
      helpValue: 'MERCHANT',
      description: 'Identifier or name of the merchant.',
      required: true,
    }),
    recipient: string({
      helpValue: 'NUMBER',
      description: 'Number of the SIM that received it.',
      required: true,
    }),
    sender: string({ helpValue: 'SENDER', description: 'Sender as the phone shows it.', required: true }),
    text: string({ helpValue: 'TEXT', description: 'The whole text.', required: true }),
    'received-at': string({
      helpValue: 'WHEN',
      description: 'When it came: 10m ago, or a Bangladesh time. Now if absent.',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(SmsAdd);
    const { momentMs } = await import('../../src/cli/input/time.js');
    const { addSms } = await import('../../src/actions/sms/add-sms.js');
    const { countsAs } = await import('../../src/cli/text/explain-reading.js');
    const core = await this.core();
    const { merchant, recipient, sender, text, 'received-at': when } = flags;
    const receivedAtMs = when === undefined ? undefined : momentMs('received-at', when, core.clock.now());
    const added = await addSms(core, { merchant, recipient, sender, text, receivedAtMs, who: this.who });
    this.show(added, flags, ({ state, settled, reading }) => [
      `${state === 'duplicate' ? 'This SMS was here already.' : 'Stored.'} ${countsAs(reading)}`,
      ...settled.map((id) => `Payment ${id} is completed by it.`),
    ]);
  }
}
