/** `kashbox accounts set` */
import { boolean, string } from '@oclif/core/flags';
import type { TypedAccount, TypedDetails } from '../../src/actions/accounts/account-input.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { CHANNELS } from '../../src/domain/accounts/channels.js';
import { WALLETS } from '../../src/domain/wallets/index.js';

/** `mfs_a (bKash), mfs_b (Nagad) and mfs_c (Rocket)` */
const WALLET_NAMES = new Intl.ListFormat('en-GB').format(
  WALLETS.map(({ channel, name }) => `${channel} (${name.en})`),
);

export default class AccountsSet extends BaseCommand {
  static override summary = 'Say where a brand is paid: wallet, bank, QR code, address or exchange.';
  static override description =
    'A brand has one account on each channel and type; a new number replaces the old one, the same number keeps ' +
    'what you do not name. Payments that are open by then may still be paid to the old one. ' +
    `Wallets are ${WALLET_NAMES}: the phone with that SIM must be ` +
    'enrolled, see "kashbox devices enroll". A bank account is offered on the hosted page only, and each transfer ' +
    'waits for you, see "kashbox verifications". ' +
    "qr_interbank is the shop's printed Bangla QR code: give a photo of it. bep20 is USDT on BNB Smart Chain: give " +
    'the address of your wallet. exchange_pay is USDT at an exchange: give your user id, and make an API key there ' +
    'that may read and nothing else. Key and secret are asked for, hidden; a script pipes them in as two lines ' +
    'with --credentials-stdin, or sets KASHBOX_EXCHANGE_KEY and KASHBOX_EXCHANGE_SECRET. They are kept encrypted ' +
    'and never shown again. USDT needs a rate, see "kashbox rates set".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_a --type personal --number 01712345678',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_b --type agent --number 01812345678',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel bank --number 1234567890123 --bank-name "City Bank" --holder "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel mfs_a --type payment --number 01712345678 --qr-payload "000201010211…"',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel qr_interbank --qr-image counter.png',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel bep20 --number 0x90F79bf6EB2c4f870365E785982E1f101E93b906',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --channel exchange_pay --number 34355667',
  ];
  static override flags = {
    brand: string({ helpValue: 'BRAND', description: 'Identifier or name of the brand.', required: true }),
    channel: string({
      helpValue: 'CHANNEL',
      description: `${CHANNELS.join(', ')} or bank.`,
      required: true,
    }),
    type: string({
      helpValue: 'TYPE',
      description:
        'Of a wallet personal, agent or payment. At an exchange personal, or merchant for its merchant API. Of a ' +
        'bank account a short name by which you tell it from others, "account" unless told otherwise.',
    }),
    number: string({
      helpValue: 'NUMBER',
      description:
        'What receives: of a wallet its 11 digits, of a bank account its number, on a chain your address, at an ' +
        'exchange your user id. A QR code has its own in it.',
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
        "Of qr_interbank or a wallet: the text in the shop's printed QR code, as a scanner reads it. Customers see " +
        'it as a picture.',
    }),
    'qr-image': string({
      helpValue: 'FILE',
      description: 'The same as a picture of the code, PNG or JPEG, also a photo of it.',
      exclusive: ['qr-payload'],
    }),
    chain: string({
      helpValue: 'ID',
      description: 'Of bep20: 56, or 97 for the test chain. 56 unless told otherwise.',
    }),
    network: string({ helpValue: 'NAME', description: 'Of bep20: name of the network as customers see it.' }),
    token: string({
      helpValue: 'ADDRESS',
      description: 'Of bep20 on the test chain: contract of another token than its USDT, with 18 decimals.',
    }),
    driver: string({
      helpValue: 'NAME',
      description:
        'At an exchange: binance-pay-history for personal accounts, which finds order ids and transaction ids; ' +
        'binance-pay-merchant for merchant accounts, which finds order ids and the numbers of orders. By type unless ' +
        'told otherwise.',
    }),
    'exchange-url': string({
      helpValue: 'URL',
      description: 'Address of the API where it is another than the usual one: https only.',
    }),
    'credentials-stdin': boolean({ description: 'Read API key and secret from stdin, one a line.' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(AccountsSet);
    const { setAccount } = await import('../../src/actions/accounts/set-account.js');
    const { brand, channel, type, number } = flags;
    const details = {
      bank_name: flags['bank-name'],
      holder: flags.holder,
      branch: flags.branch,
      routing: flags.routing,
      qr: flags['qr-payload'],
      chain_id: flags.chain,
      network: flags.network,
      token: flags.token,
      driver: flags.driver,
      base_url: flags['exchange-url'],
    };
    const image = flags['qr-image'];
    const core = await this.core();
    const account = await setAccount(core, {
      brand,
      channel,
      type,
      number,
      details,
      qrImage: image === undefined ? undefined : await pictureIn(image),
      credentials: await this.credentials({ channel, type, number }, details, flags['credentials-stdin']),
      who: this.who,
    });
    const { accountSheet } = await import('../../src/cli/text/sheets.js');
    this.show(account, flags, accountSheet);
    const { replacedText } = await import('../../src/cli/text/account-text.js');
    for (const text of replacedText(account)) this.note(text);
    const { accountAdvice } = await import('../../src/actions/accounts/account-advice.js');
    for (const advice of await accountAdvice(core, account)) this.note(`Note: ${advice}`);
  }

  /**
   * Nobody is asked for secrets of an account that will be refused. The environment may hold those of an
   * exchange while another channel is set.
   */
  private async credentials(typed: TypedAccount, details: TypedDetails, isPiped: boolean) {
    if (typed.channel !== 'exchange_pay' && !isPiped) return undefined;
    const { checkAccount } = await import('../../src/actions/accounts/check-account.js');
    (await checkAccount(typed, details)).complete({});
    const { readCredentials } = await import('../../src/cli/input/credentials.js');
    const { stdin, stderr, env } = process;
    return readCredentials({ isPiped, input: stdin, env, isTerminal: stdin.isTTY && stderr.isTTY });
  }
}

/** @throws KashboxError `invalid_input` */
async function pictureIn(path: string): Promise<Buffer> {
  const { wholeFile } = await import('../../src/cli/input/whole-input.js');
  const hint = 'Cut it down to the code, or take a smaller picture.';
  return wholeFile('qr-image', path, {
    maxBytes: 33_554_432,
    message: 'qr-image is larger than 32 MiB',
    hint,
  });
}
