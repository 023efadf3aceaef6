/** `kashbox alerts list` */
import { boolean } from '@oclif/core/flags';
import { alertPages, alertView } from '../../src/actions/alerts/list-alerts.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { spanFlags, text } from '../../src/cli/command/flags.js';
import { alertCard } from '../../src/cli/text/alert-text.js';

export default pagedList({
  summary: 'List alerts and their deliveries.',
  description:
    'device.offline: silent for 15 minutes. device.recovered: it is back. device.battery_low: 20% or less, not ' +
    'charging. device.problem: the phone reports a problem. sms.gap: a wallet balance changed without an SMS. ' +
    'account.limit: all numbers of a wallet are full. slips.full: no more slips today. payment.unfinished: paid in part only. payment.completed: a payment. money.sent: money that left a wallet and completes no refund. review.waiting: a payment needs a decision. ' +
    'webhook.failed: a shop did not answer. node.down, node.recovered: a node or exchange. ' +
    'security.key_guessing, security.transaction_id_guessing: someone is trying keys or IDs. backup.failed: no backup. ' +
    'See docs/alerts.md.',
  examples: ['$ --open', '$ --since 7d --json', '$ --device counter-1'],
  flags: {
    open: boolean({ description: 'Show open alerts only.' }),
    device: text('DEVICE', 'Only this phone (ID or name).', { kind: 'id' }),
    ...spanFlags,
  },
  empty: 'There are no such alerts.',
  async read({ core, flags: { open, device }, sinceMs, untilMs, limit }) {
    return pagesAs(alertPages(core, { open, device, sinceMs, untilMs, limit }), {
      lines: alertCard,
      csv: alertView.csv('merchant_id', 'detail', 'told'),
    });
  },
});
