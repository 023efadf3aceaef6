/** `kashbox accounts set` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/base-command.js';

export default class AccountsSet extends BaseCommand {
  static override summary = 'Say on which wallet number or bank account a brand is paid.';
  static override description =
    'A brand has one account on each channel and type; a new number replaces the old one, the same number keeps ' +
    'what you do not name. Channels are mfs_a (bKash), mfs_b (Nagad), mfs_c (Rocket), mfs_d (Upay) and bank. The ' +
    'phone with that SIM must be enrolled, or its payments cannot be confirmed: see "kashbox devices enroll". A ' +
    'bank account is offered on the hosted page only, and each transfer waits for you: see "kashbox verifications".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_a --type personal --number 01712345678',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_b --type agent --number 01812345678',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel bank --number 1234567890123 --bank-name "City Bank" --holder "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_a --type payment --number 01712345678 --qr-payload "000201010211…"',
  ];
  static override flags = {
    brand: string({ helpValue: 'BRAND', description: 'Identifier or name of the brand.', required: true }),
    channel: string({
      helpValue: 'CHANNEL',
      description: 'mfs_a, mfs_b, mfs_c, mfs_d or bank.',
      required: true,
    }),
    type: string({
      helpValue: 'TYPE',
      description:
        'Of a wallet personal, agent or payment. Of a bank account a short name by which you tell it from others, ' +
        '"account" unless told otherwise.',
    }),
    number: string({
      helpValue: 'NUMBER',
      description: 'Number that receives: of a wallet 11 digits, of a bank account as the bank writes it.',
      required: true,
    }),
    'bank-name': string({ helpValue: 'NAME', description: 'Name of the bank; a bank account needs it.' }),
    holder: string({
      helpValue: 'NAME',
      description: 'Name in which the bank account is held; a bank account needs it.',
    }),
    branch: string({ helpValue: 'NAME', description: 'Branch of the bank.' }),
    routing: string({ helpValue: 'DIGITS', description: 'Routing number of the branch, 9 digits.' }),
    'qr-payload': string({
      helpValue: 'TEXT',
      description:
        "Of a wallet: the text in the shop's printed QR code, as a scanner reads it. Customers see it as a picture.",
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountsSet);
    const { setAccount } = await import('../../src/actions/set-account.js');
    const { brand, channel, type, number } = flags;
    const account = await setAccount(await this.core(), {
      brand,
      channel,
      type,
      number,
      details: {
        bank_name: flags['bank-name'],
        holder: flags.holder,
        branch: flags.branch,
        routing: flags.routing,
        qr: flags['qr-payload'],
      },
      who: this.who,
    });
    const { accountSheet } = await import('../../src/cli/sheets.js');
    this.show(account, flags, accountSheet);
  }
}
