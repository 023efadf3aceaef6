/** `kashbox keys revoke` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class KeysRevoke extends BaseCommand {
  static override summary = 'End Brand Keys now, as when one has leaked.';
  static override description =
    'They are refused from the next request on. A brand whose last key is revoked can do nothing until ' +
    '"kashbox keys rotate" gives it a new one.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> key_0123456789abcdef01234567',
    '<%= config.bin %> keys list --brand "Amar Dokan" --ndjson | <%= config.bin %> <%= command.id %> -',
  ];
  static override args = { keys: manyIds('keys') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(KeysRevoke);
    const { revokeKey } = await import('../../src/actions/keys/revoke-key.js');
    const { keySheet } = await import('../../src/cli/text/sheets.js');
    const core = await this.core();
    await this.each([args.keys].flat(), flags, (id) => revokeKey(core, { id, who: this.who }), keySheet);
  }
}
