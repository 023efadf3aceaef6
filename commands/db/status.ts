/** `kashbox db status` */
import {
  loadStoreStatus,
  resolveStoreLocation,
  type StoreStatus,
} from '../../src/actions/db/store-location.js';
import { command } from '../../src/cli/command/define.js';
import { formatKeyValues } from '../../src/cli/text/table.js';

const MIB = 1_048_576;

export default command({
  summary: 'Show location, size and version of the store.',
  description:
    'Changes nothing and does not migrate. "kashbox doctor" checks the contents. The counts include rows ' +
    'of test brands.',
  doing: 'Counting',
  examples: ['$', '$ --json'],
  async run({ cli, flags }) {
    const { folder, env } = await cli.homeFolder();
    const status = await loadStoreStatus(resolveStoreLocation(folder, env), Date.now());
    cli.show(status, flags, (one) => formatKeyValues(entriesOf(one)));
  },
});

function entriesOf({ engine, where, bytes, rows, no_writes, ...versions }: StoreStatus) {
  const counts = Object.entries(rows).map(([table, count]) => [table, String(count)] as const);
  return [
    ['Engine', engine === 'sqlite' ? 'SQLite' : 'PostgreSQL'],
    ['Where', where],
    ['Size', `${Math.ceil(bytes / MIB)} MiB`],
    ['Tables', tablesText(versions)],
    ['Takes writes', no_writes === null ? 'yes' : `no: ${no_writes}`],
    ...counts,
  ] as const;
}

function tablesText({ tables, newest, pending }: Pick<StoreStatus, 'tables' | 'newest' | 'pending'>): string {
  if (tables > newest) return `version ${tables}; this Kashbox knows up to ${newest}: update it`;
  if (pending.length === 0) return `version ${tables}, up to date`;
  return `version ${tables} of ${newest}: kashbox db migrate adds ${pending.join(', ')}`;
}
