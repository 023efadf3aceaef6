/** `kashbox sms add` */
import { string } from '@oclif/core/flags';
import { KashboxError } from '../../src/base/errors.js';
import { BaseCommand } from '../../src/cli/base-command.js';

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
    const { momentMs } = await import('../../src/cli/time.js');
    const { mobileField } = await import('../../src/actions/fields.js');
    const { readIncomingSms } = await import('../../src/domain/incoming-sms.js');
    const { findMerchantInFull } = await import('../../src/actions/find-merchant.js');
    const { addSms } = await import('../../src/actions/add-sms.js');
    const recipient = mobileField('recipient', flags.recipient);
    const core = await this.core();
    const now = core.clock.now();
    const received_at = momentMs('received-at', flags['received-at'] ?? '0s', now);
    const read = readIncomingSms({ id: 'typed', sender: flags.sender, body: flags.text, received_at }, now);
    if (!read.ok) throw new KashboxError('invalid_input', { message: read.reason });
    const merchant = await findMerchantInFull(core, flags.merchant);
    const { sender, body, receivedAt } = read.sms;
    const added = await addSms(core, {
      merchantId: merchant.id,
      recipient,
      sender,
      body,
      receivedAtMs: receivedAt,
      who: this.who,
    });
    this.show({ state: added.states[0] ?? 'stored', settled: added.settled }, flags, (view) => [
      view.state === 'duplicate' ? 'This SMS was here already.' : 'Stored.',
      ...view.settled.map((id) => `Payment ${id} is completed by it.`),
    ]);
  }
}
