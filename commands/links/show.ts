/** `kashbox links show` */
import { showLink } from '../../src/actions/links/links.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { command } from '../../src/cli/command/define.js';
import { manyLinks, ndjsonFlag } from '../../src/cli/command/flags.js';
import { codeFlags, linkBase, savePng } from '../../src/cli/command/link-code.js';
import { linkSheetWithCode } from '../../src/cli/text/link-text.js';

export default command({
  summary: 'Show payment links with their QR codes.',
  examples: [
    '$ m4k8r2w9xh5c',
    '$ https://pay.example.com/pay/m4k8r2w9xh5c --qr-png code.png',
    'kashbox links list --ndjson | $ - --ndjson',
  ],
  args: { links: manyLinks },
  flags: { ...codeFlags, ndjson: ndjsonFlag },
  async run({ cli, args, flags }) {
    const links = [args.links].flat();
    const { qrPng: png, force } = flags;
    if (png !== undefined && (links.length > 1 || links[0] === '-')) {
      refuse('--qr-png takes the code of one link', 'Name one link.');
    }
    const core = await cli.core();
    const lines = new Map<string, readonly string[]>();
    const one = async (named: string) => {
      const link = await showLink(core, named, linkBase(core));
      if (png !== undefined && link.display) {
        refuse(
          'The address of a counter display is not kept',
          'Make another: kashbox links update LINK --new-display',
        );
      }
      if (png !== undefined) await savePng(core, link.url, png, force);
      lines.set(link.id, await linkSheetWithCode(link, process.stdout.isTTY));
      return link;
    };
    await cli.each(links, flags, one, ({ id }) => lines.get(id) ?? []);
    if (png !== undefined) cli.note(`The QR code is in ${png}.`);
  },
});
