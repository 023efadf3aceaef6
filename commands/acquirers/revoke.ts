/** `kashbox acquirers revoke` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class AcquirersRevoke extends BaseCommand {
  static override summary = 'Shut banks out: their pushes are refused from the next one on.';
  static override description =
    'What they have sent stays. "kashbox acquirers create" with the same name lets one in again, with a new key ' +
    'and secret.';
  static override examples = ['<%= config.bin %> <%= command.id %> city-bank'];
  static override args = { acquirers: manyIds('acquirers') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AcquirersRevoke);
    const { revokeAcquirer } = await import('../../src/actions/acquirers/revoke-acquirer.js');
    const { acquirerSheet } = await import('../../src/cli/text/acquirer-sheet.js');
    const core = await this.core();
    const revoke = (acquirer: string) => revokeAcquirer(core, { acquirer, who: this.who });
    await this.each([args.acquirers].flat(), flags, revoke, acquirerSheet);
  }
}
