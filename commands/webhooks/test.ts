/** `kashbox webhooks test` */
import { pingWebhook } from '../../src/actions/notifications/notifications.js';
import { command } from '../../src/cli/command/define.js';
import { neededBrand } from '../../src/cli/command/flags.js';
import { pingedLines } from '../../src/cli/text/webhook-text.js';
import { createSender } from '../../src/notify/send.js';

export default command({
  summary: "Send a test notification to a brand's webhook.",
  description:
    'Its event is "ping" and it belongs to no payment. This command sends it, not the daemon, exactly as ' +
    'notifications are sent. Exit code 0 if the shop answered 200 within 5 seconds, else 4.',
  doing: 'Sending',
  examples: ['$ --brand "Amar Dokan"', '$ --brand "Amar Dokan" --json'],
  flags: {
    brand: neededBrand,
  },
  async run({ cli, flags }) {
    const core = await cli.core();
    const pinged = await pingWebhook(core, createSender({}), { brand: flags.brand, who: cli.who });
    cli.show(pinged, flags, pingedLines);
    if (pinged.state !== 'DELIVERED') process.exitCode = 4;
  },
});
