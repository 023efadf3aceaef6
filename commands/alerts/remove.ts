/** `kashbox alerts remove` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyTargets, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class AlertsRemove extends BaseCommand {
  static override summary = 'Remove an alert target.';
  static override description = 'What waits to be told there is given up.';
  static override examples = ['<%= config.bin %> <%= command.id %> tgt_01a2b3c4d5e6f7a8b9c0d1e2'];
  static override args = { targets: manyTargets() };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AlertsRemove);
    const { removeAlertTarget } = await import('../../src/actions/alerts/alert-targets.js');
    const core = await this.core();
    await this.each(
      [args.targets].flat(),
      flags,
      (target) => removeAlertTarget(core, { target, who: this.who }),
      ({ id, hint }) => [`Removed ${hint} (${id})`],
    );
  }
}
