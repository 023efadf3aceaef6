/** The line of long work: only on a terminal, only after a second, and gone at the end. */
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { progressOn, startSpinner } from '../../../src/cli/text/progress.js';
import { until } from '../../helpers/until.js';

const MIB = 1_048_576;

function terminal(isTTY: boolean) {
  const written: string[] = [];
  let nowMs = 5_000;
  const output = { isTTY, write: (text: string) => written.push(text) > 0 } as unknown as NodeJS.WriteStream;
  const progress = progressOn(output, 'Backing up', () => nowMs);
  const at = (ms: number, done: number, total: number | null) => {
    nowMs = 5_000 + ms;
    progress.onBytes(done * MIB, total === null ? null : total * MIB);
    return written.splice(0).join('');
  };
  const end = () => {
    progress.end();
    return written.splice(0).join('');
  };
  return { at, end };
}

test('it is shown after a second, at most five times a second, and cleared at the end', (t) => {
  const { at, end } = terminal(true);
  t.is(at(999, 1, 4), '');
  t.is(at(1_000, 1, 4), '\r\u001b[KBacking up: 1 MiB, 25%');
  t.is(at(1_199, 2, 4), '');
  t.is(at(1_200, 3, 4), '\r\u001b[KBacking up: 3 MiB, 75%');
  t.is(at(1_400, 7, null), '\r\u001b[KBacking up: 7 MiB');
  t.is(end(), '\r\u001b[K');
});

test('shows nothing if the work ends within a second or without a terminal', (t) => {
  const quick = terminal(true);
  t.is(quick.at(900, 1, 1), '');
  t.is(quick.end(), '');
  const piped = terminal(false);
  t.is(piped.at(9_000, 1, 2), '');
  t.is(piped.end(), '');
});

function written(isTTY: boolean) {
  const texts: string[] = [];
  return { isTTY, written: texts, write: (text: string) => texts.push(text) > 0 };
}

test('a terminal shows a moving line during long work, and clears it before other output', async (t) => {
  const output = written(true);
  const stop = startSpinner(output, 'Checking', 1);
  await until(() => output.written.length > 2);
  t.deepEqual(output.written.slice(0, 2), [`\r\u001b[K| Checking …`, `\r\u001b[K/ Checking …`]);
  stop();
  t.is(output.written.at(-1), '\r\u001b[K');
  const count = output.written.length;
  stop();
  await sleep(500);
  t.is(output.written.length, count);
});

test('nothing is said of what is over soon, or off a terminal', async (t) => {
  const soon = written(true);
  startSpinner(soon, 'Checking', 60_000)();
  const pipe = written(false);
  const stop = startSpinner(pipe, 'Checking', 1);
  await sleep(50);
  stop();
  t.deepEqual([soon.written, pipe.written], [[], []]);
});
