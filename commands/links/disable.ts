/** `kashbox links disable` */
import { disableLink } from '../../src/actions/links/links.js';
import { bulkCommand } from '../../src/cli/command/define.js';
import { manyLinks } from '../../src/cli/command/flags.js';
import { linkBase } from '../../src/cli/command/link-code.js';
import { linkSheet } from '../../src/cli/text/link-text.js';

export default bulkCommand({
  summary: 'Disable payment links permanently.',
  description:
    'Customers can no longer open payments with them. Payments that are already open may still be paid.',
  examples: ['$ m4k8r2w9xh5c', 'kashbox links list --brand "Amar Dokan" --ndjson | $ -'],
  args: { links: manyLinks },
  one: ({ core, who }, link) => disableLink(core, { link, base: linkBase(core), who }),
  lines: linkSheet,
});
