/** Lines that cannot be written wait, up to a limit; what is beyond it is counted and said later. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readFileSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createLineWriter } from '../../../src/base/io/line-writer.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

const KIB = 1_024;
const line = (number: number) => `${String(number).padEnd(KIB - 1)}\n`;

/** A pipe that nobody reads unless the test does. */
async function unreadPipe(t: ExecutionContext) {
  const path = join(await temporaryFolder(t), 'pipe');
  execFileSync('mkfifo', [path]);
  const open = () => openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const fd = open();
  t.teardown(() => closeSync(fd));
  const buffer = Buffer.alloc(64 * KIB);
  const read = () => {
    try {
      return buffer.toString('utf8', 0, readSync(fd, buffer));
    } catch {
      return '';
    }
  };
  return { open, read };
}

test('lines that nobody reads cost no more than a few MiB; what is lost is counted, and said behind what was kept', async (t) => {
  const pipe = await unreadPipe(t);
  const writer = createLineWriter({
    open: pipe.open,
    onLost: (count) => writer.write(`lost ${count}\n`),
  });
  const written = 6 * KIB;
  for (let number = 0; number < written; number += 1) writer.write(line(number));
  const lost = writer.lost();
  t.true(lost > KIB && lost < 3 * KIB, `${lost} of ${written}`);
  let text = '';
  while (!text.includes('lost')) {
    text += pipe.read();
    await sleep(1);
  }
  const got = text.split('\n').slice(0, -1);
  t.is(got.at(-1), `lost ${lost}`);
  t.deepEqual(
    got.slice(0, -1).map(Number),
    Array.from({ length: written - lost }, (_, number) => number),
    'whole, each once, in their order',
  );
  writer.write('later\n');
  await writer.close();
  t.is(pipe.read(), 'later\n');
  t.is(writer.lost(), lost);
});

test('it opens nothing before the first line, and close writes what is left', async (t) => {
  const path = join(await temporaryFolder(t), 'log');
  let opened = 0;
  const open = () => {
    opened += 1;
    return openSync(path, 'a');
  };
  const idle = createLineWriter({ open, onLost: () => {} });
  await idle.close();
  t.is(opened, 0);
  const writer = createLineWriter({ open, onLost: () => {} });
  writer.write('আলো\n');
  writer.write(`${'x'.repeat(40 * KIB)}\n`);
  writer.write('last\n');
  await writer.close();
  t.is(readFileSync(path, 'utf8'), `আলো\n${'x'.repeat(40 * KIB)}\nlast\n`);
});

test('a descriptor that can never be written keeps nobody waiting', async (t) => {
  const writer = createLineWriter({ open: () => openSync('/dev/full', 'w'), onLost: () => t.fail() });
  for (let number = 0; number < 10; number += 1) writer.write(line(number));
  await writer.close();
  t.is(writer.lost(), 0, 'it was still to be written');
});
