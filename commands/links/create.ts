/** `kashbox links create` */
import { boolean } from '@oclif/core/flags';
import { createLink } from '../../src/actions/links/links.js';
import { refusePlace } from '../../src/base/io/new-file.js';
import { systemClock } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { integer, neededBrand, repeated, text } from '../../src/cli/command/flags.js';
import {
  codeFlags,
  detailFlags,
  linkAdvice,
  linkBase,
  loadDetails,
  savePng,
} from '../../src/cli/command/link-code.js';
import { deadlineMs } from '../../src/cli/input/time.js';
import { linkSheetWithCode } from '../../src/cli/text/link-text.js';

export default command({
  summary: 'Create a payment link.',
  description:
    'Prints the link and its QR code. Each customer who opens it gets a payment of their own on the checkout page; ' +
    'list them with "kashbox payments list --link ID". --max-payments limits completed payments; if two customers ' +
    'pay for the last one at the same time, both payments are accepted. A field is NAME=LABEL, or NAME*=LABEL in ' +
    'quotes if it is required; the fields "name" and "email" also set the name and e-mail address of the customer. ' +
    '--display makes a page for a tablet at the counter instead, on which the cashier types the amount. Its ' +
    'address is shown once; anyone who has it can open payments.',
  examples: [
    '$ --brand "Amar Dokan" --amount 500',
    '$ --brand "Amar Dokan" --title "Jamdani sari, red" --amount 4500 --max-payments 1 --qr-png sari.png',
    `$ --brand "Amar Dokan" --title "T-shirt" --amount 650 --field 'name*=Your name' --field 'address*=Address' ` +
      '--field size=Size',
    '$ --brand "Amar Dokan" --title Donation --min 50 --max 50000 --suggest 100,500,1000 --until 2026-12-31',
    '$ --brand "Amar Dokan" --title Mug --amount 350 --quantity 10 --image mug.jpg --description "For 300 ml."',
    '$ --brand "Amar Dokan" --title Sofa --amount 30000 --advance 5000 --parts',
    '$ --brand "Amar Dokan" --display --title "Counter 1"',
  ],
  flags: {
    brand: neededBrand,
    amount: text('TAKA', 'Amount in taka, such as 500 or 99.50.', {
      kind: 'digits',
      exclusive: ['min', 'max'],
    }),
    advance: text('TAKA', 'Part of --amount that is paid now; the rest is due on delivery.', {
      kind: 'digits',
      dependsOn: ['amount'],
    }),
    parts: boolean({ description: 'Let customers pay in parts, with several methods.' }),
    min: text('TAKA', 'Minimum amount that a customer may choose, instead of --amount.', {
      kind: 'digits',
      dependsOn: ['max'],
    }),
    max: text('TAKA', 'Maximum amount that a customer may choose.', { kind: 'digits', dependsOn: ['min'] }),
    display: boolean({ description: 'Make a display for the counter; the amount may be left out.' }),
    title: text('TEXT', 'Title that customers see, at most 100 characters.'),
    until: text('WHEN', 'Expiry: 2h, 7d, tomorrow, "2026-12-31 18:00".'),
    'max-payments': integer({
      helpValue: 'COUNT',
      description: 'Maximum number of payments.',
      min: 1,
      max: 1_000_000,
    }),
    field: repeated('NAME=LABEL', 'A line that customers fill in, kept with the payment; up to 8.'),
    ...detailFlags,
    ...codeFlags,
  },
  async run({ cli, flags }) {
    const { until, field: fields, maxPayments: count, qrPng: png, force, ...asked } = flags;
    const ends = until === undefined ? undefined : deadlineMs('until', until, systemClock.now());
    if (png !== undefined) {
      refusePlace(png, force);
    }
    const details = await loadDetails(asked);
    const core = await cli.core();
    const base = linkBase(core);
    const link = await createLink(core, { ...details, count, until: ends, fields, base, who: cli.who });
    if (png !== undefined) await savePng(core, link.display_url ?? link.url, png, force);
    const lines = flags.json ? [] : await linkSheetWithCode(link, process.stdout.isTTY);
    cli.show(link, flags, () => lines);
    if (png !== undefined) cli.note(`The QR code is in ${png}.`);
    const advice = linkAdvice(core, link.id);
    if (advice !== null) cli.note(`Note: ${advice}`);
  },
});
