/** `kashbox keys rotate` */
import { string } from '@oclif/core/flags';
import { BaseCommand } from '../../src/cli/command/base-command.js';

export default class KeysRotate extends BaseCommand {
  static override summary = 'Give a brand a new Brand Key and end the old one.';
  static override description =
    'The old key is dead at once, on a running daemon too. With --overlap it works for that long yet, so that the ' +
    "shop's server can be changed in peace. The new key is shown once: copy it now.";
  static override examples = [
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan"',
    '<%= config.bin %> <%= command.id %> --brand "Amar Dokan" --overlap 1h',
  ];
  static override flags = {
    brand: string({ helpValue: 'BRAND', description: 'Identifier or name of the brand.', required: true }),
    overlap: string({
      helpValue: 'TIME',
      description: 'How long the old key still works, such as 15m, 1h or 2d.',
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(KeysRotate);
    const { durationMs } = await import('../../src/cli/input/time.js');
    const overlapMs = flags.overlap === undefined ? 0 : durationMs('overlap', flags.overlap);
    const { rotateKey } = await import('../../src/actions/keys/rotate-key.js');
    const rotated = await rotateKey(await this.core(), { brand: flags.brand, overlapMs, who: this.who });
    const { minute } = await import('../../src/cli/text/sheets.js');
    const { sheet } = await import('../../src/cli/text/table.js');
    this.show(rotated, flags, ({ brand, brand_key, old_keys }) => [
      ...sheet([
        ['Brand', brand.name],
        ['Brand Key', brand_key],
      ]),
      '',
      "It is shown only now. Keep it on the shop's server, never in an app or a page.",
      overlapMs === 0
        ? 'The old key is dead.'
        : `The old key works until ${minute(old_keys.die_at)} (Bangladesh time).`,
    ]);
  }
}
