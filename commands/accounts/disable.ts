/** `kashbox accounts disable` */
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { manyIds, ndjsonFlag } from '../../src/cli/command/flags.js';

export default class AccountsDisable extends BaseCommand {
  static override summary = 'Take accounts out of use.';
  static override description =
    'They are offered to no customer from now on. Payments that are open by then may still be paid there; for all ' +
    'others, money that arrives there settles nothing by itself.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> acc_0123456789abcdef01234567',
    '<%= config.bin %> accounts list --brand "Amar Dokan" --ndjson | <%= config.bin %> <%= command.id %> -',
  ];
  static override args = { accounts: manyIds('accounts') };
  static override flags = { ndjson: ndjsonFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AccountsDisable);
    const { disableAccount } = await import('../../src/actions/accounts/disable-account.js');
    const { accountSheet } = await import('../../src/cli/text/sheets.js');
    const core = await this.core();
    const disable = (id: string) => disableAccount(core, { id, who: this.who });
    await this.each([args.accounts].flat(), flags, disable, accountSheet);
  }
}
