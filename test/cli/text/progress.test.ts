/** The line of long work: only on a terminal, only after a second, and gone at the end. */
import test from 'ava';
import { progressOn } from '../../../src/cli/text/progress.js';

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

test('what is over within a second, or has no terminal, shows nothing', (t) => {
  const quick = terminal(true);
  t.is(quick.at(900, 1, 1), '');
  t.is(quick.end(), '');
  const piped = terminal(false);
  t.is(piped.at(9_000, 1, 2), '');
  t.is(piped.end(), '');
});
