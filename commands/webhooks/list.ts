/** `kashbox webhooks list` */
import { boolean, option, string } from '@oclif/core/flags';
import type { NotificationView } from '../../src/actions/notifications/list-notifications.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { brandFlag, listFlags, newestFlags } from '../../src/cli/command/flags.js';
import { NOTIFICATION_STATES } from '../../src/domain/notifications/notification.js';

const CSV_COLUMNS: readonly (keyof NotificationView)[] = [
  'id',
  'event',
  'payment',
  'gateway_reference',
  'brand',
  'state',
  'sequence',
  'tries',
  'next_at',
  'endpoint',
  'url',
  'format',
  'created_at',
  'closed_at',
  'last_at',
  'last_outcome',
  'last_status',
  'last_detail',
];

export default class WebhooksList extends BaseCommand {
  static override summary = "List what shops' servers were told, the newest first.";
  static override description =
    'DUE waits for its next try, DELIVERED was answered with 200, DEAD was given up after ten tries in two days. ' +
    'Look at every try with "kashbox webhooks show ID"; send again with "kashbox webhooks replay ID".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --failed --since 7d',
    '<%= config.bin %> <%= command.id %> --session K7Q2M9XW4TZB',
    '<%= config.bin %> <%= command.id %> --state DEAD --ndjson | <%= config.bin %> webhooks replay -',
  ];
  static override flags = {
    brand: brandFlag,
    session: string({
      helpValue: 'PAYMENT',
      description: 'Only those of this payment: its id or reference.',
    }),
    state: option({ options: NOTIFICATION_STATES, description: 'Only those in this state.' })(),
    failed: boolean({
      description: 'Only those of payments that were given up, or were tried and not heard so far.',
      exclusive: ['state'],
    }),
    ...newestFlags,
    ...listFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksList);
    const core = await this.core();
    const { notificationPages } = await import('../../src/actions/notifications/list-notifications.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const now = core.clock.now();
    const pages = notificationPages(core, {
      brand: flags.brand,
      payment: flags.session,
      state: flags.state,
      failed: flags.failed,
      sinceMs: flags.since === undefined ? undefined : momentMs('since', flags.since, now),
      limit: this.rowsFor(flags),
    });
    const { notificationCard } = await import('../../src/cli/text/webhook-text.js');
    const lines = (row: NotificationView) => notificationCard(row, now);
    await this.showPages(pages, flags, {
      lines,
      csv: CSV_COLUMNS,
      empty: 'There are no such notifications.',
    });
  }
}
