/** What a person can try while the demo stays up: commands to copy, each of which works as it stands. */
import type { Checkout, Counter } from './hosted.js';
import { PHONE, smsOf } from './set-up.js';
import type { Stage } from './stage.js';
import { shellWord } from './text.js';

/**
 * @returns lines that invite to pay by browser. The text to paste is one line, however long, so that it can
 * be copied whole.
 */
export function invitation({ url, sms }: Checkout): string[] {
  return [
    'Now pay by yourself, within an hour: open this in a browser on this machine.',
    'It will warn you of the certificate, which the demo made for itself; go on.',
    '',
    url,
    '',
    'Choose bKash, and paste this text, as if your bKash had sent it to you:',
    '',
    sms.sentBody,
  ];
}

/** @returns lines; those that are indented are commands for a POSIX shell, to be run in their order. */
export function tour(stage: Stage, { open: { daemon, brandKey } }: Counter): string[] {
  const { home, inbox } = stage.places;
  const { sender, body, trxId } = smsOf(stage, '250.00', '8,350.25');
  const post = (path: string) => [
    `curl -sS --cacert "$KASHBOX_HOME/tls/cert.pem" ${daemon.url}/api/v2/payment/${path} \\`,
    `  -H "BRAND-KEY: $BRAND_KEY" -H 'Content-Type: application/json' \\`,
  ];
  const [createUrl = '', createHeaders = ''] = post('create');
  const blocks: readonly (readonly [said: string, commands: readonly string[]])[] = [
    [
      'To try the API, open a second terminal and set up these three:',
      [
        `export KASHBOX_HOME=${shellWord(home)}`,
        `export BRAND_KEY=${brandKey}`,
        `kashbox() { ${shellWord(process.execPath)} ${shellWord(stage.program('kashbox', []).script)} "$@"; }`,
      ],
    ],
    [
      'Look around:',
      [
        'kashbox payments list',
        'kashbox sms list',
        'kashbox webhooks list',
        `kashbox devices show ${shellWord(PHONE)}`,
      ],
    ],
    [
      "Ask for a payment of 250 taka, as a shop's server does, and look at it:",
      [
        `PAYMENT=$(${createUrl}`,
        createHeaders,
        `  -d '{"cus_name":"Third customer","amount":250}' | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')`,
        'kashbox payments show "$PAYMENT"',
      ],
    ],
    [
      'Let its SMS arrive at the phone (renamed into place, so that it arrives whole):',
      [
        `INBOX=${shellWord(inbox)}`,
        `echo '${JSON.stringify({ sender, body })}' > "$INBOX/sms-2.part"`,
        'mv "$INBOX/sms-2.part" "$INBOX/sms-2.json"',
      ],
    ],
    [
      'Verify it. Before the SMS is there the answer is 404, a second later COMPLETED:',
      [...post('verify'), `  -d '{"id":"'"$PAYMENT"'","method":"mfs_a","transaction_id":"${trxId}"}'`],
    ],
  ];
  return [
    ...blocks.flatMap(([said, commands]) => [said, '', ...commands.map((line) => `  ${line}`), '']),
    'Of USDT, Binance Pay and Bangla QR see docs/channels.md.',
  ];
}
