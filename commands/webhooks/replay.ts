/** `kashbox webhooks replay` */
import { boolean, string } from '@oclif/core/flags';
import { KashboxError } from '../../src/base/errors.js';
import { BaseCommand } from '../../src/cli/base-command.js';
import { brandFlag, ndjsonFlag, optionalIds } from '../../src/cli/flags.js';

export default class WebhooksReplay extends BaseCommand {
  static override summary = "Tell shops' servers again: what was given up, or what you name.";
  static override description =
    'The daemon sends it with its old webhook-id and body, so a shop that has heard it before can tell, to the address ' +
    'that the payment or its brand has today. Name ids, or take all that failed with --failed --since. Exit code 4: ' +
    'one that you named is being sent right now, or was a test.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ntf_0123456789abcdef01234567',
    '<%= config.bin %> <%= command.id %> --failed --since 2d --brand "Amar Dokan"',
    '<%= config.bin %> webhooks list --state DEAD --ndjson | <%= config.bin %> <%= command.id %> -',
  ];
  static override args = { notifications: optionalIds('notifications') };
  static override flags = {
    failed: boolean({ description: 'All that were given up, or tried and not heard so far.' }),
    since: string({
      helpValue: 'WHEN',
      description: 'With --failed: only those made since then: 2h, 7d, 2026-08-21.',
      dependsOn: ['failed'],
    }),
    brand: { ...brandFlag, description: 'With --failed: only those of this brand.', dependsOn: ['failed'] },
    ndjson: ndjsonFlag,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(WebhooksReplay);
    const ids = [args.notifications ?? []].flat();
    const isForAll = flags.failed === true;
    if (isForAll === ids.length > 0) {
      throw new KashboxError('invalid_input', {
        message: 'Either ids or --failed is needed',
        hint: 'Name what to send again, or take all that failed: kashbox webhooks replay --failed --since 2d',
      });
    }
    if (isForAll) return this.replayAll(flags.since, flags.brand, flags);
    const core = await this.core();
    const { replayNotification } = await import('../../src/actions/replay-notifications.js');
    const { replayedLines } = await import('../../src/cli/webhook-text.js');
    const replay = (id: string) => replayNotification(core, { id, who: this.who });
    await this.each(ids, flags, replay, replayedLines);
  }

  private async replayAll(
    since: string | undefined,
    brand: string | undefined,
    output: { readonly json: boolean; readonly ndjson: boolean },
  ): Promise<void> {
    if (since === undefined) {
      throw new KashboxError('invalid_input', {
        message: '--failed needs --since',
        hint: 'Say how far back, so that no shop hears of last year: --since 2d',
      });
    }
    const core = await this.core();
    const { replayFailed } = await import('../../src/actions/replay-notifications.js');
    const { replayedFailedLines } = await import('../../src/cli/webhook-text.js');
    const { momentMs } = await import('../../src/cli/time.js');
    const sinceMs = momentMs('since', since, core.clock.now());
    const result = await replayFailed(core, { brand, sinceMs, who: this.who });
    this.show(result, output, replayedFailedLines);
  }
}
