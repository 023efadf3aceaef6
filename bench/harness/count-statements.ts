/**
 * Loaded into a daemon before its own code: counts the SQL statements that it runs, whoever asks for them,
 * and tells the number to its parent process when asked.
 */
import { DatabaseSync } from 'node:sqlite';

let count = 0;

function counted(prototype: object, names: readonly string[]): void {
  for (const name of names) {
    const plain = Reflect.get(prototype, name) as (...args: unknown[]) => unknown;
    Reflect.set(prototype, name, function (this: unknown, ...args: unknown[]) {
      count += 1;
      return plain.apply(this, args);
    });
  }
}

const memory = new DatabaseSync(':memory:');
counted(Object.getPrototypeOf(memory.prepare('SELECT 1')), ['run', 'get', 'all', 'iterate']);
counted(DatabaseSync.prototype, ['exec']);
memory.close();

process.on('message', () => process.send?.(count));
// The parent ends it by a signal; until then its own work keeps it running.
process.channel?.unref();
