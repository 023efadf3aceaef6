import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { startSpinner } from '../../../src/cli/text/progress.js';
import { until } from '../../helpers/until.js';

const ESCAPE = String.fromCharCode(27);
const CLEARED = `\r${ESCAPE}[K`;

function terminal(isTTY: boolean) {
  const written: string[] = [];
  return { isTTY, written, write: (text: string) => written.push(text) > 0 };
}

test('what lasts is told on a terminal by a line that moves, and the line goes when something is printed', async (t) => {
  const output = terminal(true);
  const stop = startSpinner(output, 'Checking', 1);
  await until(() => output.written.length > 2);
  t.deepEqual(output.written.slice(0, 2), [`${CLEARED}| Checking …`, `${CLEARED}/ Checking …`]);
  stop();
  t.is(output.written.at(-1), CLEARED);
  const count = output.written.length;
  stop();
  await sleep(500);
  t.is(output.written.length, count);
});

test('nothing is said of what is over soon, or off a terminal', async (t) => {
  const soon = terminal(true);
  startSpinner(soon, 'Checking', 60_000)();
  const pipe = terminal(false);
  const stop = startSpinner(pipe, 'Checking', 1);
  await sleep(50);
  stop();
  t.deepEqual([soon.written, pipe.written], [[], []]);
});
