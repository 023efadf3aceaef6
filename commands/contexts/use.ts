/** `kashbox contexts use` */
import { boolean } from '@oclif/core/flags';
import { refuse } from '../../src/base/errors/refuse.js';
import { command } from '../../src/cli/command/define.js';
import { optionalWord } from '../../src/cli/command/flags.js';
import { contextSheet, contextView, overruledNote } from '../../src/cli/text/context-text.js';
import { contextNamed, currentContext, loadContexts, writeContexts } from '../../src/config/contexts.js';

export default command({
  summary: 'Set the current context.',
  description: 'KASHBOX_HOME, KASHBOX_DATABASE_URL, KASHBOX_CONTEXT and --context override it.',
  examples: ['$ shop', '$ --none'],
  args: { name: optionalWord('Name of the context.') },
  flags: { none: boolean({ description: 'Use no context: the home folder is ~/.kashbox.' }) },
  async run({ cli, args, flags }) {
    if ((args.name === undefined) !== (flags.none === true)) {
      refuse('Either a name or --none is needed', 'See the names: kashbox contexts list');
    }
    const { contexts } = loadContexts(process.env);
    const used = args.name ?? null;
    const context = used === null ? null : contextNamed({ used, contexts }, used);
    writeContexts(process.env, { used, contexts });
    const current = currentContext(process.env);
    const view = used === null || context === null ? null : contextView(used, context, current);
    cli.show(view, flags, (shown) => (shown === null ? ['No context is chosen now.'] : contextSheet(shown)));
    const overruled = overruledNote(process.env, used);
    if (overruled !== null) cli.note(overruled);
  },
});
