/** `kashbox webhooks test` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class WebhooksTest extends BaseCommand {
  static override summary = "Send a signed test to a brand's webhook address, now, and see what it answers.";
  static override description =
    'It tells of no payment: its event is "ping". It is sent from here, without the daemon, exactly as notifications ' +
    'are. Exit code 0 only if it was heard, that is, answered with 200 within 5 seconds; else 4.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --json',
  ];
  static override flags = {
    brand: string({ helpValue: 'BRAND', description: 'Identifier or name of the brand.', required: true }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksTest);
    const core = await this.core();
    const { pingWebhook } = await import('../../src/actions/notifications/ping-webhook.js');
    const { createSender } = await import('../../src/notify/send.js');
    const pinged = await pingWebhook(core, createSender({}), { brand: flags.brand, who: this.who });
    const { pingedLines } = await import('../../src/cli/text/webhook-text.js');
    this.show(pinged, flags, pingedLines);
    if (pinged.state !== 'DELIVERED') process.exitCode = 4;
  }
}
