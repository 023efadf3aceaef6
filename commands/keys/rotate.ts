/** `kashbox keys rotate` */
import { rotateKey } from '../../src/actions/keys/keys.js';
import { minute } from '../../src/base/values/clock.js';
import { command } from '../../src/cli/command/define.js';
import { neededBrand, text } from '../../src/cli/command/flags.js';
import { durationMs } from '../../src/cli/input/time.js';
import { rotatedSheet } from '../../src/cli/text/secrets-text.js';

export default command({
  summary: 'Replace the Brand Key of a brand.',
  description:
    "The old key stops working immediately, or after --overlap, so that you have time to change the shop's server. " +
    'The new key is shown once: copy it now.',
  examples: ['$ --brand "Amar Dokan"', '$ --brand "Amar Dokan" --overlap 1h'],
  flags: {
    brand: neededBrand,
    overlap: text('TIME', 'Time that the old key still works, such as 15m, 1h or 2d.'),
  },
  async run({ cli, flags }) {
    const overlapMs = flags.overlap === undefined ? 0 : durationMs('overlap', flags.overlap);
    const rotated = await rotateKey(await cli.core(), { brand: flags.brand, overlapMs, who: cli.who });
    const until = `The old key works until ${minute(rotated.old_keys.expires_at)} (Bangladesh time).`;
    const then = overlapMs === 0 ? 'The old key no longer works.' : until;
    cli.show(rotated, flags, ({ brand, brand_key }) =>
      rotatedSheet(brand.name, 'Brand Key', brand_key, then),
    );
  },
});
