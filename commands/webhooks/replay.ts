/** `kashbox webhooks replay` */
import { boolean, string } from '@oclif/core/flags';
import { KashboxError } from '../../src/base/errors/errors.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { brandFlag, ndjsonFlag, optionalNotificationIds } from '../../src/cli/command/flags.js';

interface Output {
  readonly json: boolean;
  readonly ndjson: boolean;
}

export default class WebhooksReplay extends BaseCommand {
  static override summary = "Tell shops' servers again: what was given up, or what you name.";
  static override description =
    'The daemon sends it with its old webhook-id and body, so a shop that has heard it before can tell, to the address ' +
    'that the payment or its brand has today. Name notifications, or payments, of which the last one is sent; or take ' +
    'all that failed with --failed --since. Tests are passed over. Exit code 4: one is being sent right now or has no ' +
    'address to go to, or the only one that you named was a test.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> ntf_0123456789abcdef01234567',
    '<%= config.bin %> <%= command.id %> K7Q2M9XW4TZB',
    '<%= config.bin %> <%= command.id %> --failed --since 2d --brand "Amar Dokan"',
    '<%= config.bin %> webhooks list --state DEAD --ndjson | <%= config.bin %> <%= command.id %> -',
  ];
  static override args = { notifications: optionalNotificationIds() };
  static override flags = {
    failed: boolean({ description: 'All that were given up, or tried and not heard so far.' }),
    since: string({
      helpValue: 'WHEN',
      description: 'Needed with --failed: how far back: 2h, 7d, 2026-08-21.',
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
    return this.replayNamed(ids, flags);
  }

  private async replayNamed(ids: readonly string[], output: Output): Promise<void> {
    const core = await this.core();
    const { replayNotification, replayUnlessTest } = await import(
      '../../src/actions/notifications/replay-notifications.js'
    );
    const { replayedLines } = await import('../../src/cli/text/webhook-text.js');
    const isOne = ids.length === 1 && ids[0] !== '-';
    let tests = 0;
    const replay = async (id: string) => {
      const input = { id, who: this.who };
      if (isOne) return replayNotification(core, input);
      const replayed = await replayUnlessTest(core, input);
      if (replayed === null) tests += 1;
      return replayed;
    };
    await this.each(ids, output, replay, replayedLines);
    if (tests > 0)
      this.note(`Passed over ${tests === 1 ? 'a test' : `${tests} tests`}: a test is sent once.`);
  }

  private async replayAll(
    since: string | undefined,
    brand: string | undefined,
    output: Output,
  ): Promise<void> {
    if (since === undefined) {
      throw new KashboxError('invalid_input', {
        message: '--failed needs --since',
        hint: 'Say how far back, so that no shop hears of last year: --since 2d',
      });
    }
    const core = await this.core();
    const { replayFailed } = await import('../../src/actions/notifications/replay-notifications.js');
    const { replayedFailedLines } = await import('../../src/cli/text/webhook-text.js');
    const { momentMs } = await import('../../src/cli/input/time.js');
    const sinceMs = momentMs('since', since, core.clock.now());
    const result = await replayFailed(core, { brand, sinceMs, who: this.who });
    this.show(result, output, replayedFailedLines);
  }
}
