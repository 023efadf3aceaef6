/** `kashbox db migrate` */
import {
  type MigrationResult,
  migrateStore,
  resolveStoreLocation,
} from '../../src/actions/db/store-location.js';
import { command } from '../../src/cli/command/define.js';

export default command({
  summary: 'Migrate the store to the current version.',
  description:
    'The daemon and every command that opens the store do this automatically. Use this command to migrate ' +
    'before you stop the daemon, or at a quiet time. Make a backup first: there is no way back. A store ' +
    'of a newer Kashbox is refused.',
  doing: 'Migrating',
  examples: ['$', '$ --json'],
  async run({ cli, flags }) {
    const { folder, env } = await cli.homeFolder();
    cli.show(await migrateStore(resolveStoreLocation(folder, env), Date.now()), flags, linesOf);
  },
});

function linesOf({ from, to, applied }: MigrationResult): string[] {
  if (applied.length === 0) return [`The tables are up to date: version ${to}.`];
  return [
    ...applied.map(({ version, name }) => `${version}  ${name}`),
    `The tables are at version ${to} now; they were at ${from}.`,
  ];
}
