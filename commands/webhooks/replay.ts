/** `kashbox webhooks replay` */
import { boolean } from '@oclif/core/flags';
import {
  replayFailed,
  replayNotification,
  replayUnlessTest,
} from '../../src/actions/notifications/notifications.js';
import { refuse } from '../../src/base/errors/refuse.js';
import type { BaseCommand } from '../../src/cli/command/base-command.js';
import { command } from '../../src/cli/command/define.js';
import { ndjsonFlag, optionalNotificationIds, text } from '../../src/cli/command/flags.js';
import { momentMs } from '../../src/cli/input/time.js';
import { replayedFailedLines, replayedLines } from '../../src/cli/text/webhook-text.js';

interface ReplayOutput {
  readonly json: boolean | undefined;
  readonly ndjson: boolean;
}

const ofFailed = { dependsOn: ['failed'] };

export default command({
  summary: 'Resend webhook notifications.',
  description:
    'The daemon sends it with the same webhook-id and body, so that the shop can recognise a repeat, to ' +
    'the current address of the payment or its brand. Name notifications, or payments, whose last ' +
    'notification is sent; or resend all failed ones with --failed --since. Test notifications are ' +
    'skipped. Exit code 4: one is being sent right now or has no address, or you named only a test.',
  examples: [
    '$ ntf_0123456789abcdef01234567',
    '$ K7Q2M9XW4TZB',
    '$ --failed --since 2d --brand "Amar Dokan"',
    'kashbox webhooks list --status FAILED --ndjson | $ -',
  ],
  ofPayments: true,
  args: { notifications: optionalNotificationIds },
  flags: {
    failed: boolean({ description: 'All failed notifications and those being retried.' }),
    since: text('WHEN', 'Start time, required with --failed: 2h, 7d, yesterday, 2026-08-21.', ofFailed),
    brand: text('BRAND', 'With --failed: only those of this brand.', { kind: 'id', ...ofFailed }),
    ndjson: ndjsonFlag,
  },
  async run({ cli, args, flags }) {
    const ids = [args.notifications ?? []].flat();
    const isForAll = flags.failed === true;
    if (isForAll === ids.length > 0) {
      refuse(
        'Either ids or --failed is needed',
        'Name what to send again, or take all that failed: kashbox webhooks replay --failed --since 2d',
      );
    }
    if (isForAll) return replayAll(cli, flags.since, flags.brand, flags);
    return replayNamed(cli, ids, flags);
  },
});

async function replayNamed(cli: BaseCommand, ids: readonly string[], output: ReplayOutput): Promise<void> {
  const core = await cli.core();
  const isOne = ids.length === 1 && ids[0] !== '-';
  let tests = 0;
  const replay = async (id: string) => {
    const input = { id, who: cli.who };
    if (isOne) return replayNotification(core, input);
    const replayed = await replayUnlessTest(core, input);
    if (replayed === null) tests += 1;
    return replayed;
  };
  await cli.each(ids, output, replay, replayedLines);
  if (tests > 0) cli.note(`Passed over ${tests === 1 ? 'a test' : `${tests} tests`}: a test is sent once.`);
}

async function replayAll(
  cli: BaseCommand,
  since: string | undefined,
  brand: string | undefined,
  output: ReplayOutput,
): Promise<void> {
  if (since === undefined) {
    refuse('--failed needs --since', 'Say how far back, so that no shop hears of last year: --since 2d');
  }
  const core = await cli.core();
  const sinceMs = momentMs('since', since, core.clock.now());
  const result = await replayFailed(core, { brand, sinceMs, who: cli.who });
  cli.show(result, output, replayedFailedLines);
}
