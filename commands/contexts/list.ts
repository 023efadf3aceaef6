/** `kashbox contexts list` */
import { command } from '../../src/cli/command/define.js';
import { listFlags } from '../../src/cli/command/flags.js';
import { contextView } from '../../src/cli/text/context-text.js';
import { shrinking } from '../../src/cli/text/table.js';
import { contextsFile, loadContexts } from '../../src/config/contexts.js';

export default command({
  summary: 'List contexts.',
  description:
    'A context names an installation: its home folder and optionally its database. Order of precedence: ' +
    '--context, KASHBOX_CONTEXT, KASHBOX_HOME and KASHBOX_DATABASE_URL, then the choice of "kashbox ' +
    'contexts use".',
  examples: ['$', '$ --json'],
  flags: listFlags,
  async run({ cli, flags }) {
    const { used, contexts } = loadContexts(process.env);
    // A name that is none must not hide the list in which the right one stands.
    const current = await cli.choice().then(
      ({ context }) => context,
      () => null,
    );
    const views = Object.entries(contexts)
      .map(([name, context]) => contextView(name, context, current))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    await cli.showList(views, flags, {
      empty: `There are no contexts in ${contextsFile(process.env)}. Add one: kashbox contexts add NAME --home FOLDER`,
      columns: [
        { head: '', text: (row) => (row.current ? '*' : '') },
        'name',
        shrinking('home'),
        shrinking('database_url', 'DATABASE'),
      ],
      csv: ['name', 'home', 'database_url', 'current'],
    });
    if (used !== null && current !== used) {
      cli.note(`Note: "${used}" is chosen by kashbox contexts use, but something else overrides it now.`);
    }
  },
});
