/** docs/errors.md says of every error what the table says, and nothing else. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { ERRORS } from '../../src/base/errors/error-table.js';

const file = new URL('../../../docs/errors.md', import.meta.url);

/** The table as it must stand in the document: copy these lines when this test fails. */
function expectedRows(): string[] {
  return Object.entries(ERRORS).map(
    ([code, { category, status, exit, message, hint }]) =>
      `| \`${code}\` | ${category} | ${status} | ${exit} | ${message} | ${hint.replaceAll('|', '\\|')} |`,
  );
}

test('the documented errors are those of the table, in its order', (t) => {
  const rows = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  t.deepEqual(rows, expectedRows());
});
