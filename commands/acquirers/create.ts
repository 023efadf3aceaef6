/** `kashbox acquirers create` */
import { option, string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { pushFlags, pushRulesOf } from '../../src/cli/input/acquirer-flags.js';
import { ACQUIRER_AUTHS } from '../../src/domain/accounts/acquirer.js';

export default class AcquirersCreate extends BaseCommand {
  static override summary = 'Let a bank tell of payments to the QR code of a merchant.';
  static override description =
    'Key and secret are shown once, for the bank. What it writes under which name is said by --map; without it ' +
    'the names are reference, amount, payer, paid_at, status (SUCCESS), bill, merchant and currency. An ' +
    'acquirer that was revoked comes back under its name with a new key and secret.';
  static override examples = [
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name city-bank',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name city-bank --map map.json --signature-prefix sha256=',
    '<%= config.bin %> <%= command.id %> --merchant "Amar Dokan" --name old-bank --auth ip --allow-ip 203.0.113.0/24',
  ];
  static override flags = {
    merchant: string({
      helpValue: 'MERCHANT',
      description: 'Identifier or name of the merchant.',
      required: true,
    }),
    name: string({
      helpValue: 'NAME',
      description: 'Name of the bank; no two of a merchant have the same.',
      required: true,
    }),
    auth: option({
      options: ACQUIRER_AUTHS,
      default: 'hmac' as const,
      description: 'How it proves itself: a signature, a password, or its address alone.',
    })(),
    'allow-ip': string({
      helpValue: 'IP',
      description: 'Take pushes only from this IP address or CIDR range. May be given several times.',
      multiple: true,
      multipleNonGreedy: true,
    }),
    ...pushFlags,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(AcquirersCreate);
    const { createAcquirer } = await import('../../src/actions/acquirers/create-acquirer.js');
    const created = await createAcquirer(await this.core(), {
      merchant: flags.merchant,
      name: flags.name,
      auth: flags.auth,
      allowIps: flags['allow-ip'],
      ...(await pushRulesOf(flags)),
      who: this.who,
    });
    const { createdAcquirerSheet } = await import('../../src/cli/text/acquirer-sheet.js');
    this.show(created, flags, createdAcquirerSheet);
  }
}
