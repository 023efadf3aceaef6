/** The log file of a phone: small for ever, and shared with the script that starts the agent. */
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import { logFile } from '../../src/ports/node-log.js';
import { tempFolder } from '../helpers/agent.js';

const KIB = 1024;
/** 1 KiB each. */
const line = (number: number): string => `${String(number).padEnd(KIB - 1, '.')}\n`;

test('a log file keeps its last 256 KiB or more in whole lines, and never grows beyond 512', async (t) => {
  const path = join(await tempFolder(t), 'agent.log');
  const write = logFile(path);
  let largest = 0;
  for (let number = 0; number < 2_000; number++) {
    write(line(number));
    largest = Math.max(largest, statSync(path).size);
  }
  t.true(largest <= 512 * KIB, `${largest}`);
  const kept = readFileSync(path, 'utf8').trimEnd().split('\n');
  t.true(kept.length >= 255 && kept.every((text) => text.length === KIB - 1));
  const first = Number.parseInt(kept[0] ?? '', 10);
  const numbers = kept.map((text) => Number.parseInt(text, 10));
  t.deepEqual(
    numbers,
    Array.from({ length: 2_000 - first }, (_, at) => first + at),
  );
  t.is(statSync(path).mode & 0o077, 0);
});

test('lines of another program are shortened at a start, and its later lines are not lost', async (t) => {
  const path = join(await tempFolder(t), 'agent.log');
  const other = openSync(path, 'a');
  t.teardown(() => closeSync(other));
  for (let number = 0; number < 600; number++) writeSync(other, line(number));
  const write = logFile(path);
  t.true(statSync(path).size <= 256 * KIB);
  writeSync(other, 'from the script\n');
  write('from the agent\n');
  t.regex(readFileSync(path, 'utf8'), /^599\.+\nfrom the script\nfrom the agent\n$/m);
});

test('a log that cannot be written stops nothing', async (t) => {
  const folder = await tempFolder(t);
  writeFileSync(join(folder, 'file'), '');
  t.notThrows(() => logFile(join(folder, 'file/agent.log'))('a line\n'));
});
