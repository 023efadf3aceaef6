/** `kashbox webhooks rotate` */
import { rotateWebhookSecret } from '../../src/actions/brands/webhook-secrets.js';
import { minute } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { neededBrand, text } from '../../src/cli/command/flags.js';
import { durationMs } from '../../src/cli/input/time.js';
import { rotatedSheet } from '../../src/cli/text/secrets-text.js';

export default command({
  summary: 'Replace the webhook secret of a brand.',
  description:
    "Older secrets stop working immediately: the shop's server rejects notifications until it has the new one. With " +
    '--overlap notifications are signed with both secrets for that time; during it, only a rotation without ' +
    '--overlap is possible (exit code 4). The new secret is shown once: copy it now.',
  examples: ['$ --brand "Amar Dokan" --overlap 24h', '$ --brand "Amar Dokan"'],
  flags: {
    brand: neededBrand,
    overlap: text('TIME', 'Time during which both secrets sign, such as 1h or 24h (at most 7d).'),
  },
  async run({ cli, flags }) {
    const overlapMs = flags.overlap === undefined ? 0 : durationMs('overlap', flags.overlap);
    const input = { brand: flags.brand, overlapMs, who: cli.who };
    const rotated = await rotateWebhookSecret(await cli.core(), input);
    const then =
      overlapMs === 0
        ? 'Older secrets no longer work: notifications are signed with the new one only.'
        : `Both sign until ${minute(rotated.old_secret_expires_at)} (Bangladesh time); then the old one expires.`;
    cli.show(rotated, flags, ({ brand, webhook_secret }) =>
      rotatedSheet(brand.name, 'Webhook secret', webhook_secret, then),
    );
  },
});
