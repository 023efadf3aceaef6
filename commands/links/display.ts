/** `kashbox links display` */
import { boolean } from '@oclif/core/flags';
import { descriptionField, takaField } from '../../src/actions/input/fields.js';
import { clearDisplay, requireDisplay, showOnDisplay } from '../../src/actions/links/display.js';
import { showLink } from '../../src/actions/links/links.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { oneWord, text } from '../../src/cli/command/flags.js';
import { linkBase } from '../../src/cli/command/link-code.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

export default command({
  summary: 'Show an amount on a counter display.',
  description:
    'Opens a payment, and the tablet shows its QR code. Exit code 4: another payment is still open there. --clear ' +
    'cancels it and takes the tablet back to its start.',
  examples: ['$ m4k8r2w9xh5c --amount 250', '$ m4k8r2w9xh5c --clear'],
  args: { link: oneWord('ID of a payment link with a display.') },
  flags: {
    amount: text('TAKA', 'Amount in taka, such as 250 or 99.50.', { kind: 'digits' }),
    description: text('TEXT', 'What the customer pays for.', { dependsOn: ['amount'] }),
    clear: boolean({ description: 'Cancel what the display shows.', exclusive: ['amount'] }),
  },
  async run({ cli, args, flags }) {
    const { amount, clear } = flags;
    if (amount === undefined && !clear) refuse('The amount is missing', 'Give --amount 250, or --clear.');
    const core = await cli.core();
    const base = linkBase(core);
    const link = await requireDisplay(core, (await showLink(core, args.link, base)).id);
    if (amount === undefined) {
      const cancelled = await clearDisplay(core, link, cli.who);
      const lines = [cancelled === null ? 'No payment was open.' : `Payment ${cancelled} is cancelled.`];
      return cli.show({ cancelled }, flags, () => lines);
    }
    const amountPaisa = takaField(amount);
    const description = descriptionField(flags.description ?? '');
    const shown = await showOnDisplay(core, { link, amountPaisa, description, publicBase: base });
    const view = {
      id: shown.id,
      gateway_reference: shown.gatewayReference,
      payment_reference: shown.paymentReference,
      expires_at: dhakaIso(shown.expiresAt),
    };
    cli.show(view, flags, () =>
      formatKeyValues([
        ['Payment', view.gateway_reference],
        ['Reference', view.payment_reference],
        ['Expires', view.expires_at.slice(0, 16).replace('T', ' ')],
      ]),
    );
  },
});
