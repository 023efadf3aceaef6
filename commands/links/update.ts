/** `kashbox links update` */
import { boolean } from '@oclif/core/flags';
import { updateLink } from '../../src/actions/links/links.js';
import { command } from '../../src/cli/command/define.js';
import { oneWord } from '../../src/cli/command/flags.js';
import { detailFlags, linkBase, loadDetails } from '../../src/cli/command/link-code.js';
import { linkSheet } from '../../src/cli/text/link-text.js';

export default command({
  summary: 'Update what a payment link shows.',
  description:
    'Options that you omit stay as they are; an empty text clears one, --quantity 1 ends the choice of a quantity. ' +
    'Price, title and fields of a link never change: create another link for them. Payments that are already open ' +
    'keep their amount.',
  examples: [
    '$ m4k8r2w9xh5c --image sari.jpg --description "Handwoven, 5.5 metres."',
    '$ m4k8r2w9xh5c --quantity 5',
    '$ m4k8r2w9xh5c --image ""',
    '$ m4k8r2w9xh5c --new-display',
  ],
  args: { link: oneWord('ID or URL of a payment link.') },
  flags: {
    ...detailFlags,
    'new-display': boolean({
      description: 'Give a counter display another address; the old one stops immediately.',
    }),
  },
  async run({ cli, args, flags }) {
    const details = await loadDetails(flags);
    const core = await cli.core();
    const input = { ...details, link: args.link, base: linkBase(core), who: cli.who };
    cli.show(await updateLink(core, input), flags, linkSheet);
  },
});
