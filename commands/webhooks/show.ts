/** `kashbox webhooks show` */
import { each } from '../../src/cli/command/define.js';
import { notificationIds } from '../../src/cli/command/flags.js';

export default each({
  summary: "Show what a shop's server was told, with every try and what it answered.",
  description:
    'The id of a notification shows that one; the id or reference of a payment shows all that its shop was told of ' +
    'it, in order (with --json a list).',
  examples: [
    '$ ntf_0123456789abcdef01234567',
    '$ K7Q2M9XW4TZB',
    'kashbox webhooks list --failed --ndjson | $ - --json',
  ],
  ofPayments: true,
  args: { notifications: notificationIds() },
  async work({ core }) {
    const { showNotifications } = await import('../../src/actions/notifications/notifications.js');
    const { notificationSheets } = await import('../../src/cli/text/webhook-text.js');
    const lines = (shown: Awaited<ReturnType<typeof showNotifications>>) =>
      notificationSheets(shown, core.clock.now());
    return { one: (named) => showNotifications(core, named), lines };
  },
});
