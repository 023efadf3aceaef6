/** `kashbox sms close-gap` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyGaps, ndjsonFlag, noteFlag } from '../../src/cli/command/flags.js';

export default class SmsCloseGap extends BaseCommand {
  static override summary = 'Say that a gap is explained: its alert ends, and it is never opened again.';
  static override description =
    'For money that moves without an SMS, such as savings that are put aside by themselves. A missing payment is ' +
    'not explained but added, with `kashbox sms add`: then its gap closes by itself.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> gap_01988a7c2d4e5f6a7b8c9d0e --note "Savings of August"',
    '<%= config.bin %> sms gaps --open --ndjson | <%= config.bin %> <%= command.id %> - --note "Looked through"',
  ];
  static override args = { gap: manyGaps() };
  static override flags = { note: noteFlag, ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(SmsCloseGap);
    const core = await this.core();
    const { closeGap } = await import('../../src/actions/balance-gaps/close-gap.js');
    const { note } = flags;
    await this.each(
      [args.gap].flat(),
      flags,
      (id) => closeGap(core, { id, note, who: this.who }),
      ({ id }) => [`Gap ${id} is closed.`],
    );
  }
}
