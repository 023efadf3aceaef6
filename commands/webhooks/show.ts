/** `kashbox webhooks show` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { ndjsonFlag, notificationIds } from '../../src/cli/command/flags.js';

export default class WebhooksShow extends BaseCommand {
  static override summary = "Show what a shop's server was told, with every try and what it answered.";
  static override description =
    'The id of a notification shows that one; the id or reference of a payment shows all that its shop was told of ' +
    'it, in order (with --json a list).';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ntf_0123456789abcdef01234567',
    '<%= config.bin %> <%= command.id %> K7Q2M9XW4TZB',
    '<%= config.bin %> webhooks list --failed --ndjson | <%= config.bin %> <%= command.id %> - --json',
  ];
  static override args = { notifications: notificationIds() };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksShow);
    const { showNotifications } = await import('../../src/actions/notifications/list-notifications.js');
    const { notificationSheets } = await import('../../src/cli/text/webhook-text.js');
    const core = await this.core();
    const lines = (shown: Awaited<ReturnType<typeof showNotifications>>) =>
      notificationSheets(shown, core.clock.now());
    await this.each([args.notifications].flat(), flags, (named) => showNotifications(core, named), lines);
  }
}
