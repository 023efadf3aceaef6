/** `kashbox webhooks verify` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class WebhooksVerify extends BaseCommand {
  static override summary = 'Check the signature of a notification that you captured, and say what is wrong.';
  static override description =
    'Pipe the body in exactly as it came, or name a file that holds it. The secret is that of --brand, or comes from ' +
    'the environment as KASHBOX_WEBHOOK_SECRET, or is asked for. Exit code 0 only if it is valid, else 4.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --signature "t=1789000000,v1=…" < body.json',
    '<%= config.bin %> <%= command.id %> --body-file body.json --signature "t=…,v1=…" --at "2026-08-21 12:35"',
    '<%= config.bin %> <%= command.id %> --body-file body.json --header "webhook-id: ntf_…" --header "webhook-timestamp: …" --header "webhook-signature: v1,…"',
  ];
  static override flags = {
    'body-file': string({ helpValue: 'FILE', description: 'File with the body; without it stdin is read.' }),
    signature: string({ helpValue: 'HEADER', description: 'What the header X-Service-Signature says.' }),
    header: string({
      helpValue: 'NAME:VALUE',
      description: 'A header that came with it, such as "webhook-id: ntf_…". Repeatable.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    brand: string({ helpValue: 'BRAND', description: 'Brand whose secret is to fit: identifier or name.' }),
    tolerance: string({
      helpValue: 'TIME',
      description: 'How old it may be; 0 for any age.',
      default: '5m',
    }),
    at: string({ helpValue: 'WHEN', description: 'When it came, for old ones: 2h, "2026-08-21 12:35".' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(WebhooksVerify);
    const { durationMs, momentMs } = await import('../../src/cli/input/time.js');
    const { checkCaptured, checkedLines, readHeaders } = await import(
      '../../src/cli/webhooks/webhook-check.js'
    );
    const headers = readHeaders(flags.signature, flags.header ?? []);
    const toleranceS =
      flags.tolerance.trim() === '0'
        ? Number.POSITIVE_INFINITY
        : durationMs('tolerance', flags.tolerance) / 1_000;
    const now = flags.at === undefined ? Date.now() : momentMs('at', flags.at, Date.now());
    const { bodyFrom, givenSecret } = await import('../../src/cli/input/webhook-input.js');
    const body = await bodyFrom(flags['body-file'], process.stdin);
    const secrets =
      flags.brand === undefined ? [await givenSecret(process.env)] : await this.secretsOf(flags.brand, now);
    const checked = checkCaptured(headers, { body, secrets, now, toleranceS });
    this.show(checked, flags, (result) => checkedLines(result, this.width));
    if (!checked.valid) process.exitCode = 4;
  }

  private async secretsOf(brand: string, at: number): Promise<string[]> {
    const { secretsOfBrand } = await import('../../src/actions/brands/webhook-secrets.js');
    return secretsOfBrand(await this.core(), brand, at);
  }
}
