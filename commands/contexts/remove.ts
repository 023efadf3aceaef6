/** `kashbox contexts remove` */
import { command } from '../../src/cli/command/define.js';
import { oneId } from '../../src/cli/command/flags.js';

export default command({
  summary: 'Forget a context.',
  description: 'The installation that it names stays as it is.',
  examples: ['$ shop'],
  args: { name: oneId('Name of the context.') },
  async run({ cli, args, flags }) {
    const { contextNamed, readContexts, writeContexts } = await import('../../src/config/contexts.js');
    const { contextView } = await import('../../src/cli/text/context-text.js');
    const known = readContexts(process.env);
    const removed = contextView(args.name, contextNamed(known, args.name), null);
    const others = Object.entries(known.contexts).filter(([name]) => name !== args.name);
    const used = known.used === args.name ? null : known.used;
    writeContexts(process.env, { used, contexts: Object.fromEntries(others) });
    cli.show(removed, flags, ({ name, home }) => [`Context ${name} is forgotten; ${home} stays as it is.`]);
  },
});
