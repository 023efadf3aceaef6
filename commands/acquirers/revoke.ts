/** `kashbox acquirers revoke` */
import { each } from '../../src/cli/command/define.js';
import { manyIds } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Shut banks out: their pushes are refused from the next one on.',
  description:
    'What they have sent stays. "kashbox acquirers create" with the same name lets one in again, with a new key ' +
    'and secret.',
  examples: ['$ city-bank'],
  args: { acquirers: manyIds('acquirers') },
  async work({ core, who }) {
    const { revokeAcquirer } = await import('../../src/actions/acquirers/acquirers.js');
    const { acquirerSheet } = await import('../../src/cli/text/acquirer-sheet.js');
    return { one: (acquirer: string) => revokeAcquirer(core, { acquirer, who }), lines: acquirerSheet };
  },
});
