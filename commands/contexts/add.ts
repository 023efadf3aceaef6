/** `kashbox contexts add` */
import { resolve } from 'node:path';
import { boolean } from '@oclif/core/flags';
import { refuse } from '../../src/base/errors/refuse.js';
import { command } from '../../src/cli/command/define.js';
import { needed, oneWord, text } from '../../src/cli/command/flags.js';
import { loadAddress } from '../../src/cli/input/whole-input.js';
import { contextSheet, contextView, overruledNote } from '../../src/cli/text/context-text.js';
import {
  contextNameField,
  currentContext,
  databaseUrlField,
  loadContexts,
  writeContexts,
} from '../../src/config/contexts.js';

export default command({
  summary: 'Add a context, a name for an installation.',
  description:
    'It is saved for your user only, in ~/.config/kashbox/contexts.json (or in XDG_CONFIG_HOME, ' +
    'KASHBOX_CONFIG_DIR). The home folder is not changed.',
  examples: ['$ shop --home /srv/kashbox --use', 'cat url.txt | $ live --home /srv/kashbox --database-url -'],
  args: { name: oneWord('Name of the context.') },
  flags: {
    home: needed('FOLDER', 'Home folder of the installation.'),
    'database-url': text('URL', 'PostgreSQL URL; "-" reads it from stdin, which hides the password.'),
    use: boolean({ description: 'Also make it the current context.' }),
    force: boolean({ description: 'Replace an existing context.' }),
  },
  async run({ cli, args, flags }) {
    const name = contextNameField(args.name);
    const address = flags.databaseUrl === undefined ? undefined : await loadAddress(flags.databaseUrl);
    const context = {
      home: resolve(flags.home),
      databaseUrl: address === undefined ? null : databaseUrlField(address),
    };
    const { used, contexts } = loadContexts(process.env);
    if (Object.hasOwn(contexts, name) && !flags.force) {
      refuse(`There is a context "${name}" already`, 'Choose another name, or replace it with --force.');
    }
    const now = flags.use ? name : used;
    writeContexts(process.env, { used: now, contexts: { ...contexts, [name]: context } });
    cli.show(contextView(name, context, currentContext(process.env)), flags, contextSheet);
    const overruled = flags.use ? overruledNote(process.env, name) : null;
    if (overruled !== null) cli.note(overruled);
  },
});
