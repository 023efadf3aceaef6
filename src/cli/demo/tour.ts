/** What a person can try while the demo stays up: commands to copy, each of which works as it stands. */
import { CUSTOMER_NUMBER, PHONE, type Played } from './play.js';
import { receivedSms } from './sms.js';
import type { Stage } from './stage.js';
import { shellWord } from './text.js';

/** @returns lines; those that are indented are commands for a POSIX shell, to be run in their order. */
export function tour(stage: Stage, { daemon, brandKey }: Played): string[] {
  const { home, inbox } = stage.places;
  const receipt = { amount: '250.00', balance: '7,600.25', from: CUSTOMER_NUMBER, at: stage.clock.now() };
  const { sender, body, trxId } = receivedSms(receipt, stage.random);
  const post = (path: string) => [
    `curl -sS --cacert "$KASHBOX_HOME/tls/cert.pem" ${daemon.url}/api/v2/payment/${path} \\`,
    `  -H "BRAND-KEY: $BRAND_KEY" -H 'Content-Type: application/json' \\`,
  ];
  const [createUrl = '', createHeaders = ''] = post('create');
  const blocks: readonly (readonly [said: string, commands: readonly string[]])[] = [
    [
      'It stays up now. To try it, open a second terminal and set up these three:',
      [
        `export KASHBOX_HOME=${shellWord(home)}`,
        `export BRAND_KEY=${brandKey}`,
        `kashbox() { node ${shellWord(stage.program('kashbox', []).script)} "$@"; }`,
      ],
    ],
    [
      'Look around:',
      ['kashbox payments list', 'kashbox sms list', `kashbox devices show ${shellWord(PHONE)}`],
    ],
    [
      "Ask for a payment of 250 taka, as a shop's server does, and look at it:",
      [
        `PAYMENT=$(${createUrl}`,
        createHeaders,
        `  -d '{"cus_name":"Second customer","amount":250}' | sed 's/.*"id":"\\([0-9a-f]*\\)".*/\\1/')`,
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
    'This version takes headless payments by mobile wallet. The hosted checkout page',
    'and signed notifications to your server come with later versions.',
  ];
}
