/** `kashbox accounts set` */
import { boolean } from '@oclif/core/flags';
import type { TypedAccount, TypedDetails } from '../../src/actions/accounts/account-input.js';
import { accountSheet } from '../../src/actions/accounts/account-view.js';
import { checkAccount } from '../../src/actions/accounts/check-account.js';
import { accountAdvice, type SetAccountView, setAccount } from '../../src/actions/accounts/set-account.js';
import { minute } from '../../src/base/values/clock.js';
import { DRIVERS } from '../../src/channels/exchange-pay/exchanges.js';
import { command } from '../../src/cli/command/define.js';
import { needed, neededBrand, text } from '../../src/cli/command/flags.js';
import { loadCredentials } from '../../src/cli/input/secrets.js';
import { codePictureFile } from '../../src/cli/input/whole-input.js';
import { formatKeyValues } from '../../src/cli/text/table.js';
import { CHANNEL, isPayChannel } from '../../src/domain/accounts/channels.js';
import { WALLETS } from '../../src/domain/wallets/index.js';

/** `mfs_a (bKash), mfs_b (Nagad) and mfs_c (Rocket)` */
const WALLET_NAMES = new Intl.ListFormat('en-GB').format(
  WALLETS.map(({ channel, name }) => `${channel} (${name.en})`),
);

export default command({
  summary: "Add or replace a brand's receiving account.",
  description:
    'A new number replaces the old one of that channel and type; with --add a wallet gets a further number. ' +
    `For ${WALLET_NAMES}, enroll the phone with that SIM first ("kashbox devices enroll"). ` +
    "--qr-image with a personal account takes the owner's Bangla QR: each payment then has its own code. " +
    'Bank transfers need manual verification. qr_interbank takes a photo of the Bangla QR code, bep20 ' +
    'your wallet address on BNB Smart Chain, exchange_pay your user ID and a read-only API key. Key and secret are ' +
    'prompted for, or read from KASHBOX_EXCHANGE_KEY and KASHBOX_EXCHANGE_SECRET, and stored encrypted. USDT ' +
    'needs a rate: "kashbox rates set".',
  examples: [
    '$ --brand "Amar Dokan" --channel mfs_a --type personal --number 01712345678',
    '$ --brand "Amar Dokan" --channel mfs_b --type agent --number 01812345678 --holder "Alo Store"',
    '$ --brand "Amar Dokan" --channel mfs_a --type personal --number 01812345678 --add --month-limit 200000',
    '$ --brand "Amar Dokan" --channel bank --number 1234567890123 --bank-name "City Bank" --holder "Amar Dokan"',
    '$ --brand "Amar Dokan" --channel mfs_a --type personal --number 01712345678 --qr-image own.png',
    '$ --brand "Amar Dokan" --channel mfs_a --type payment --number 01712345678 --qr-payload "000201010211…"',
    '$ --brand "Amar Dokan" --channel qr_interbank --qr-image counter.png',
    '$ --brand "Amar Dokan" --channel bep20 --number 0xYOUR_ADDRESS',
    '$ --brand "Amar Dokan" --channel exchange_pay --number 34355667',
  ],
  flags: {
    brand: neededBrand,
    channel: needed(
      'CHANNEL',
      'Channel: bkash, nagad, rocket, upay, bangla-qr, usdt, binance, bank, or its code such as mfs_a.',
      'channel',
    ),
    type: text(
      'TYPE',
      'Account type. Wallet: personal, agent, merchant. Exchange: personal, merchant. Bank: any label.',
    ),
    number: text(
      'NUMBER',
      'Receiver: wallet number, bank account number, blockchain address or exchange user ID.',
      { kind: 'digits' },
    ),
    add: boolean({ description: 'Set up a further number of the wallet instead of replacing the old one.' }),
    'day-limit': text('TAKA', 'The most that may come in on the wallet number in a day; "" for no limit.', {
      kind: 'digits',
    }),
    'month-limit': text('TAKA', 'The most that may come in on it in a month; "" for no limit.', {
      kind: 'digits',
    }),
    'bank-name': text('NAME', 'Bank name (bank accounts).'),
    holder: text('NAME', 'Account holder: of a bank account, or as the wallet shows it before the PIN.'),
    branch: text('NAME', 'Branch of the bank.'),
    routing: text('DIGITS', 'Routing number of the branch, 9 digits.', { kind: 'digits' }),
    'qr-payload': text('TEXT', "Text in the account's QR code, as a scanner reads it; empty removes it."),
    'qr-image': text('FILE', 'Picture or photo of the QR code, PNG or JPEG.', {
      exclusive: ['qr-payload'],
    }),
    chain: text('ID', 'Chain of bep20: 56 (default) or 97 (testnet).', {
      kind: 'digits',
    }),
    network: text('NAME', 'Network name shown to customers (bep20).'),
    token: text('ADDRESS', 'Token contract on the testnet, with 18 decimals (default: its USDT).'),
    driver: text('NAME', `Exchange API: ${DRIVERS.map(({ id, type }) => `${id} (${type})`).join(', ')}.`),
    'exchange-url': text('URL', 'API base URL of the exchange, https only.'),
    'credentials-stdin': boolean({ description: 'Read API key and secret from stdin, one per line.' }),
  },
  async run({ cli, flags }) {
    const { brand, channel, type, number, qrImage: image } = flags;
    const details = {
      bank_name: flags.bankName,
      holder: flags.holder,
      branch: flags.branch,
      routing: flags.routing,
      qr: flags.qrPayload,
      chain_id: flags.chain,
      network: flags.network,
      token: flags.token,
      driver: flags.driver,
      base_url: flags.exchangeUrl,
    };
    const core = await cli.core();
    const account = await setAccount(core, {
      brand,
      channel,
      type,
      number,
      details,
      isFurther: flags.add,
      dayLimit: flags.dayLimit,
      monthLimit: flags.monthLimit,
      qrImage: image === undefined ? undefined : await codePictureFile(image),
      credentials: await credentialsOf({ channel, type, number }, details, flags.credentialsStdin),
      who: cli.who,
    });
    cli.show(account, flags, (view) => formatKeyValues(accountSheet(view)));
    for (const line of replacedText(account)) cli.note(line);
    if (image !== undefined || details.qr !== undefined) for (const line of codeText(account)) cli.note(line);
    for (const advice of await accountAdvice(core, account)) cli.note(`Note: ${advice}`);
  },
});

/**
 * Checks the account before prompting for its secrets. Without `isPiped`, returns undefined for channels
 * without credentials: the environment may contain those of an exchange.
 */
async function credentialsOf(typed: TypedAccount, details: TypedDetails, isPiped: boolean) {
  const { channel } = typed;
  if (!(isPayChannel(channel) && CHANNEL[channel].isSealed) && !isPiped) return undefined;
  (await checkAccount(typed, details)).complete({});
  const { stdin, stderr, env } = process;
  return loadCredentials({ isPiped, input: stdin, env, isTerminal: stdin.isTTY && stderr.isTTY });
}

/** @returns a line for an account that was replaced while customers still see it; none otherwise. */
function replacedText({ channel, replaced }: SetAccountView): string[] {
  if (replaced === null || replaced.open_payments === 0) return [];
  const { number, open_payments: count, until } = replaced;
  const payments = count === 1 ? '1 open payment still shows' : `${count} open payments still show`;
  const sim = CHANNEL[channel].kind === 'sms' ? ' Leave its SIM in the phone until then.' : '';
  return [
    `Note: ${payments} ${number}, until ${minute(until)}. Money that arrives there counts for them.${sim}`,
  ];
}

/** @returns what the account's QR code says; none without one. */
function codeText({ channel, details, personal_qr: code, renamed_from: before }: SetAccountView): string[] {
  if (code === null) {
    const isShown = CHANNEL[channel].kind === 'sms' && details.qr !== undefined;
    return isShown
      ? ['Note: It is not a personal Bangla QR: customers see it as it is, without an amount.']
      : [];
  }
  const { name, institution_type: type, institution, signed } = code;
  const signature = signed
    ? 'Its signature cannot be checked here; wallet apps check it before they pay.'
    : 'It has no signature, so wallet apps may refuse it. Take a new picture from the app.';
  return [
    `Note: The QR code is of ${name}, at institution ${institution} (type ${type}). ${signature}`,
    ...(before === null
      ? []
      : [`Note: The QR code before named ${before}. Wallet apps now show ${name} before customers pay.`]),
  ];
}
