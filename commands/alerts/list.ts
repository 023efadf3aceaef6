/** `kashbox alerts list` */
import { boolean } from '@oclif/core/flags';
import { alertPages, alertView } from '../../src/actions/alerts/list-alerts.js';
import { pagedList, pagesAs } from '../../src/cli/command/define.js';
import { spanFlags, text } from '../../src/cli/command/flags.js';
import { alertCard } from '../../src/cli/text/alert-text.js';

export default pagedList({
  summary: 'List alerts and their deliveries.',
  description:
    'device.offline: nothing has come from a phone for 15 minutes. device.recovered: it is back. ' +
    'device.battery_low: 20% or less, and not charging. device.problem: a phone says that something keeps it from ' +
    'its work. sms.gap: money moved on a wallet and no SMS tells of it. slips.full: a brand has no room for slips ' +
    'of bank transfers any more that day. payment.completed: a payment, where a target wants these. ' +
    'review.waiting: a payment waits for you. webhook.failed: a shop was not reached. node.down, node.recovered: a node or an ' +
    'exchange. security.key_guessing, security.transaction_id_guessing: somebody tries keys or transaction ids. backup.failed: no ' +
    'backup was made. docs/alerts.md says more. Each is told once.',
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
