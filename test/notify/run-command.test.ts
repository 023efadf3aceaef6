/** Commands of operators: what they are given, how they end, and that nothing of them stays behind. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { runCommand } from '../../src/notify/run-command.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

const env = { PATH: process.env.PATH };
/** What is not about time gets so much that no machine is too slow. */
const limitMs = 120_000;

/** Whether there is a process of that number which is not merely waiting to be forgotten. */
function isAlive(pid: number): boolean {
  const file = `/proc/${pid}/stat`;
  if (!existsSync('/proc/self/stat')) {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  }
  return existsSync(file) && !/\) Z /.test(readFileSync(file, 'utf8'));
}

test('a command is run by the shell, with its input and exactly its environment', async (t) => {
  const file = join(await temporaryFolder(t), 'out');
  const command = 'cat > "$FILE"; printf "%s|%s" "$TEXT" "$HOME" >> "$FILE"; echo noise; echo noise >&2';
  const text = '$(touch /nowhere) `x` "quoted" \'বাংলা\'; exit 7';
  const named = { ...env, FILE: file, TEXT: text };
  const ended = await runCommand({ command, env: named, input: '{"a":1}', limitMs });
  t.deepEqual(ended, { end: 'exited', code: 0 });
  t.is(readFileSync(file, 'utf8'), `{"a":1}${text}|`);
});

test('the exit code of a command shows whether it delivered', async (t) => {
  const ended = (command: string) => runCommand({ command, env, input: 'x'.repeat(1_000_000), limitMs });
  t.deepEqual(await ended('exit 3'), { end: 'exited', code: 3 });
  t.deepEqual(await ended('no-such-program-anywhere'), { end: 'exited', code: 127 });
  t.deepEqual(await ended('kill -TERM $$'), { end: 'killed', signal: 'SIGTERM' });
});

test('a command that takes too long is killed with all that it has started', async (t) => {
  const file = join(await temporaryFolder(t), 'pid');
  const command = 'sleep 600 & echo $! > "$FILE.new"; mv "$FILE.new" "$FILE"; wait';
  // On a slow machine the shell may be killed before it has come that far: then once more, with more time.
  for (let shortMs = 500; !existsSync(file); shortMs *= 3) {
    const ended = await runCommand({ command, env: { ...env, FILE: file }, input: '', limitMs: shortMs });
    t.deepEqual(ended, { end: 'too_slow', limitMs: shortMs });
  }
  const pid = Number(readFileSync(file, 'utf8'));
  t.true(pid > 1);
  while (isAlive(pid)) await sleep(20);
  t.pass();
});
