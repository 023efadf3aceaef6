/** `kashbox keys revoke` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'End Brand Keys now, as when one has leaked.',
  description:
    'They are refused from the next request on. A brand whose last key is revoked can do nothing until ' +
    '"kashbox keys rotate" gives it a new one.',
  examples: ['$ key_0123456789abcdef01234567', 'kashbox keys list --brand "Amar Dokan" --ndjson | $ -'],
  args: { keys: manyIds('keys') },
  async work({ core, who }) {
    const { revokeKey } = await import('../../src/actions/keys/keys.js');
    const { keySheet } = await import('../../src/cli/text/sheets.js');
    return { one: (id) => revokeKey(core, { id, who }), lines: keySheet };
  },
});
