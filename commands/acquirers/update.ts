/** `kashbox acquirers update` */
import { boolean, option, string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { oneId } from '../../src/cli/command/flags.js';
import { pushFlags, pushRulesOf } from '../../src/cli/input/acquirer-flags.js';
import { ACQUIRER_AUTHS } from '../../src/domain/accounts/acquirer.js';

export default class AcquirersUpdate extends BaseCommand {
  static override summary = 'Mend how a bank is read and let in; its key and secret stay.';
  static override description =
    'Only what you name is changed; a map is replaced as a whole. It holds from the next push on. What could not ' +
    'be read before is read by the new map with "kashbox pushes reparse".';
  static override examples = [
    '<%= config.bin %> <%= command.id %> city-bank --map map.json',
    '<%= config.bin %> <%= command.id %> city-bank --signature-header X-Hub-Signature-256 --signature-prefix sha256=',
    '<%= config.bin %> <%= command.id %> city-bank --allow-ip 203.0.113.7 --allow-ip 198.51.100.0/24',
  ];
  static override args = { acquirer: oneId('Identifier or name of the acquirer.') };
  static override flags = {
    name: string({ helpValue: 'NAME', description: 'New name.' }),
    auth: option({
      options: ACQUIRER_AUTHS,
      description: 'How it proves itself: a signature, a password, or its address alone.',
    })(),
    'allow-ip': string({
      helpValue: 'IP',
      description: 'Take pushes only from these addresses; replaces the list. May be given several times.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    'allow-any-ip': boolean({ description: 'Take pushes from any address.', exclusive: ['allow-ip'] }),
    ...pushFlags,
  };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(AcquirersUpdate);
    const rules = await pushRulesOf(flags);
    const { updateAcquirer } = await import('../../src/actions/acquirers/update-acquirer.js');
    const updated = await updateAcquirer(await this.core(), {
      acquirer: args.acquirer,
      name: flags.name,
      auth: flags.auth,
      allowIps: flags['allow-any-ip'] ? [] : flags['allow-ip'],
      ...rules,
      who: this.who,
    });
    const { acquirerSheet } = await import('../../src/cli/text/acquirer-sheet.js');
    this.show(updated, flags, acquirerSheet);
  }
}
