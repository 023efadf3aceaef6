/** `kashbox webhooks show` */
import { showNotifications } from '../../src/actions/notifications/notifications.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { notificationIds } from '../../src/cli/command/flags.js';
import { notificationSheets } from '../../src/cli/text/webhook-text.js';

export default bulkCommand({
  summary: 'Show notifications with all delivery attempts.',
  description:
    'With the ID of a notification it shows that one; with the ID or reference of a payment it shows all ' +
    'notifications of that payment, in order (with --json a list).',
  examples: [
    '$ ntf_0123456789abcdef01234567',
    '$ K7Q2M9XW4TZB',
    'kashbox webhooks list --failed --ndjson | $ - --json',
  ],
  ofPayments: true,
  args: { notifications: notificationIds },
  one: ({ core }, named) => showNotifications(core, named),
  lines: (shown, { core }) => notificationSheets(shown, core.clock.now()),
});
