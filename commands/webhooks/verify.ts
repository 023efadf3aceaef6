/** `kashbox webhooks verify` */
import { string } from '@oclif/core/flags';
import { secretsOfBrand } from '../../src/actions/brands/webhook-secrets.js';
import { command } from '../../src/cli/command/define.js';
import { repeated, text } from '../../src/cli/command/flags.js';
import { durationMs, momentMs } from '../../src/cli/input/time.js';
import { givenSecret, loadBody } from '../../src/cli/input/webhook-input.js';
import { checkCaptured, checkedLines, parseHeaders } from '../../src/cli/webhooks/webhook-check.js';

export default command({
  summary: 'Verify the signature of a captured notification.',
  description:
    'Pipe in the body exactly as received, or name a file that contains it. The secret comes from ' +
    '--brand, from KASHBOX_WEBHOOK_SECRET, or from a prompt. Exit code 0 if it is valid, else 4.',
  examples: [
    '$ --brand "Amar Dokan" --signature "t=1789000000,v1=…" < body.json',
    '$ --body-file body.json --signature "t=…,v1=…" --at "2026-08-21 12:35"',
    '$ --body-file body.json --header "webhook-id: ntf_…" --header "webhook-timestamp: …" --header "webhook-signature: v1,…"',
  ],
  flags: {
    'body-file': text('FILE', 'File with the body (default: stdin).'),
    signature: text('HEADER', 'Value of the X-Service-Signature header.'),
    header: repeated('NAME:VALUE', 'A header that came with it, such as "webhook-id: ntf_…". Repeatable.'),
    brand: text('BRAND', 'Brand whose secret to use (ID or name).', { kind: 'id' }),
    tolerance: string({
      helpValue: 'TIME',
      description: 'Maximum age; 0 for any age.',
      default: '5m',
    }),
    at: text('WHEN', 'Time of arrival, for old ones: 2h, "2026-08-21 12:35".'),
  },
  async run({ cli, flags }) {
    const headers = parseHeaders(flags.signature, flags.header ?? []);
    const toleranceS =
      flags.tolerance.trim() === '0'
        ? Number.POSITIVE_INFINITY
        : durationMs('tolerance', flags.tolerance) / 1_000;
    const now = flags.at === undefined ? Date.now() : momentMs('at', flags.at, Date.now());
    const body = await loadBody(flags.bodyFile, process.stdin);
    const secrets =
      flags.brand === undefined
        ? [await givenSecret(process.env)]
        : await secretsOfBrand(await cli.core(), flags.brand, now);
    const checked = checkCaptured(headers, { body, secrets, now, toleranceS });
    cli.show(checked, flags, (result) => checkedLines(result, cli.width));
    if (!checked.valid) process.exitCode = 4;
  },
});
