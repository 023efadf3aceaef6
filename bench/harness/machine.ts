/** On what the numbers were taken. */
import { availableParallelism, cpus, release, totalmem, type } from 'node:os';
import { SqliteFile } from '../../src/store/sqlite-driver.js';

/** Facts about this machine, for the head of the page. */
export function machineFacts(): readonly string[] {
  const model = cpus()[0]?.model.trim() ?? 'unknown processor';
  const database = new SqliteFile(':memory:');
  const [sqlite] = database.column('SELECT sqlite_version()');
  database.close();
  return [
    `${model}, ${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    `${type()} ${release()}, Node ${process.versions.node}, SQLite ${sqlite}`,
  ];
}
