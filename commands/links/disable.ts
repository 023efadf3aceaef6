/** `kashbox links disable` */
import { each } from '../../src/cli/command/define.js';
import { manyLinks } from '../../src/cli/command/flags.js';

export default each({
  summary: 'Close payment links for ever.',
  description: 'They open no payment any more. Payments that are open by then may still be paid.',
  examples: ['$ m4k8r2w9xh5c', 'kashbox links list --brand "Amar Dokan" --ndjson | $ -'],
  args: { links: manyLinks() },
  async work({ core, who }) {
    const { disableLink } = await import('../../src/actions/links/links.js');
    const { linkBase } = await import('../../src/cli/input/link-base.js');
    const { linkSheet } = await import('../../src/cli/text/link-text.js');
    const base = linkBase(core);
    return { one: (link: string) => disableLink(core, { link, base, who }), lines: linkSheet };
  },
});
