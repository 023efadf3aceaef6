/** How steps end and how they look, without a single process. */
import test from 'ava';
import { KashboxError } from '../../src/base/errors/errors.js';
import {
  createStepPrinter,
  DemoInterrupted,
  duration,
  type Step,
  type StepReporter,
  Steps,
  shellWord,
  shortJson,
  summary,
} from '../../src/demo/steps.js';

const nobody: StepReporter = { begins: () => {}, ended: () => {}, skipped: () => {} };

function screen(colour: boolean, live: boolean) {
  let text = '';
  return {
    options: { write: (part: string) => (text += part), width: 60, colour, live },
    text: () => text,
  };
}

const step: Step = {
  name: 'verify',
  title: 'The shop asks',
  ok: true,
  ms: 12,
  lines: [{ mark: '<', text: `404  {"status":false,"message":"${'word '.repeat(20)}"}` }],
};

test('a step that fails is kept as failed, and its error comes out', async (t) => {
  const steps = new Steps(nobody, new AbortController().signal);
  t.is(await steps.run('one', 'One', async () => 1), 1);
  const error = await t.throwsAsync(
    steps.run('two', 'Two', async (say) => {
      say('.', 'so far');
      throw new TypeError('broken');
    }),
    { instanceOf: KashboxError },
  );
  t.is(error?.message, 'broken');
  t.deepEqual(
    steps.done.map(({ name, ok }) => [name, ok]),
    [
      ['one', true],
      ['two', false],
    ],
  );
  t.deepEqual(steps.done[1]?.lines, [{ mark: '.', text: 'so far' }]);
});

test('ending the demo from outside ends a waiting step at once and explains it', async (t) => {
  const stop = new AbortController();
  const steps = new Steps(nobody, stop.signal);
  const running = steps.run('wait', 'Wait', () => new Promise<never>(() => {}));
  const lost = new KashboxError('internal', { message: 'the daemon ended' });
  stop.abort(lost);
  t.is(await t.throwsAsync(running), lost);
  t.is(await t.throwsAsync(steps.run('next', 'Next', async () => 1)), lost);
});

test('distinguishes Ctrl-C from a failure', async (t) => {
  const stop = new AbortController();
  stop.abort(new DemoInterrupted());
  const steps = new Steps(nobody, stop.signal);
  await t.throwsAsync(
    steps.run('one', 'One', async () => 1),
    { instanceOf: DemoInterrupted },
  );
});

test('a step fits the screen, with its time at the right edge', (t) => {
  const { options, text } = screen(false, false);
  createStepPrinter(options).begins(1, step.title);
  createStepPrinter(options).ended(1, step);
  const lines = text().split('\n');
  t.is(lines[0], ` ✓  1  The shop asks${' '.repeat(35)}12 ms`);
  t.is(lines[0]?.length, 60);
  t.true(lines.every((line) => line.length <= 60));
  t.true(lines.length > 3);
});

test('colours and overwritten lines appear only where the screen has them', (t) => {
  const plain = screen(false, false);
  createStepPrinter(plain.options).begins(1, step.title);
  createStepPrinter(plain.options).ended(1, step);
  t.false(plain.text().includes('\u001b'));
  const rich = screen(true, true);
  createStepPrinter(rich.options).begins(1, step.title);
  createStepPrinter(rich.options).ended(1, step);
  t.true(rich.text().includes('\u001b[32m'));
  t.true(rich.text().includes('\r\u001b[K'));
});

test('the summary counts the steps that held', (t) => {
  const lines = summary([step, { ...step, ok: false, ms: 1500 }], 80);
  t.is(lines.at(-1), '1 of 2 steps held, in 1.51 s.');
  t.regex(lines[2] ?? '', /^✗ +2 +The shop asks +1\.50 s$/);
});

test('shown JSON cuts ids and leaves out what is empty, but never a status', (t) => {
  const value = {
    status: false,
    id: '0123456789abcdef0123456789abcdef',
    brand: { email: '' },
    message: 'Not found here',
  };
  t.is(shortJson(value), '{"status":false,"id":"01234567…","brand":{},"message":"Not found here"}');
});

test('times and shell words look as people write them', (t) => {
  t.deepEqual([duration(0.2), duration(999.4), duration(1240)], ['1 ms', '999 ms', '1.24 s']);
  t.deepEqual(
    [shellWord('--sim'), shellWord('/tmp/a-1.b'), shellWord("it's")],
    ['--sim', '/tmp/a-1.b', "'it'\\''s'"],
  );
});

test('a skipped step is reported on a line of its own and not counted', (t) => {
  const { options, text } = screen(false, false);
  const steps = new Steps(createStepPrinter(options), new AbortController().signal);
  steps.skip('No payment of this kind: what it needs is not installed on this machine.');
  t.deepEqual(steps.skipped, ['No payment of this kind: what it needs is not installed on this machine.']);
  t.deepEqual(steps.done, []);
  t.is(text(), ' –     No payment of this kind: what it needs is not\n       installed on this machine.\n\n');
});
