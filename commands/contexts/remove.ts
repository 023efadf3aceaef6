/** `kashbox contexts remove` */
import { command } from '../../src/cli/command/define.js';
import { oneWord } from '../../src/cli/command/flags.js';
import { contextView } from '../../src/cli/text/context-text.js';
import { contextNamed, loadContexts, writeContexts } from '../../src/config/contexts.js';

export default command({
  summary: 'Remove a context.',
  description: 'The installation itself is not changed.',
  examples: ['$ shop'],
  args: { name: oneWord('Name of the context.') },
  async run({ cli, args, flags }) {
    const known = loadContexts(process.env);
    const removed = contextView(args.name, contextNamed(known, args.name), null);
    const others = Object.entries(known.contexts).filter(([name]) => name !== args.name);
    const used = known.used === args.name ? null : known.used;
    writeContexts(process.env, { used, contexts: Object.fromEntries(others) });
    cli.show(removed, flags, ({ name, home }) => [`Context ${name} is forgotten; ${home} stays as it is.`]);
  },
});
