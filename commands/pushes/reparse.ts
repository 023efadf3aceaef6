/** `kashbox pushes reparse` */
import { string } from '@oclif/core/flags';
import type { ReparsedPushes } from '../../src/actions/pushes/reparse-pushes.js';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class PushesReparse extends BaseCommand {
  static override summary = 'Read what banks have told again, by the maps of today.';
  static override description =
    'After "kashbox acquirers update" has mended a map, pushes that could not be read, or whose status was not ' +
    'known for a payment that is made, may turn out to be money and settle payments that wait for it. What has ' +
    'counted once is never taken back, and no reference counts twice.';
  static override examples = [
    '<%= config.bin %> <%= command.id %>',
    '<%= config.bin %> <%= command.id %> --acquirer city-bank --json',
  ];
  static override flags = {
    acquirer: string({
      helpValue: 'ACQUIRER',
      description: 'Only of this acquirer: identifier or name. Revoked ones are left alone.',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(PushesReparse);
    const { reparsePushes } = await import('../../src/actions/pushes/reparse-pushes.js');
    const { acquirer } = flags;
    const result = await reparsePushes(await this.core(), { acquirer, who: this.who });
    const { visible } = await import('../../src/base/values/cells.js');
    this.show(result, flags, (one) => lines(one).map(visible));
  }
}

function lines({ read, paid, repeated, contradicted, settled, reviewed, left }: ReparsedPushes): string[] {
  return [
    `${read} pushes read, ${paid} of them turned out to be money.`,
    ...settled.map((id) => `Payment ${id} is completed by it.`),
    ...reviewed.map((id) => `Payment ${id} waits for your decision: kashbox verifications list`),
    ...(repeated > 0 ? [`${repeated} say no more than another push of the same reference.`] : []),
    ...(contradicted > 0
      ? [`${contradicted} say otherwise of money that has moved: kashbox pushes list --unread`]
      : []),
    ...left.map(({ why, count }) => `${count} are no money still: ${why}.`),
  ];
}
