/** Lines through a pipe, in whatever pieces they come. */
import { PassThrough, Readable, Writable } from 'node:stream';
import test from 'ava';
import fc from 'fast-check';
import { type LinePipe, pipeLines } from '../../../src/cli/input/pipe-lines.js';

const echo: LinePipe = {
  longestLine: 10,
  answer: (line) => (line === '' ? null : `<${line}>`),
  tooLong: () => '!',
};

async function through(chunks: readonly (string | Buffer)[]): Promise<string> {
  const output = new PassThrough();
  let text = '';
  output.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  await pipeLines(Readable.from(chunks, { objectMode: false }), output, echo);
  return text;
}

test('CRLF ends a line, empty lines have no answer, and the last line needs no end', async (t) => {
  t.is(await through(['a\r\n\n\r\nb\nc']), '<a>\n<b>\n<c>\n');
});

test('only a line feed ends a line', async (t) => {
  t.is(await through(['a\u2028b\u0085\rc\n']), '<a\u2028b\u0085\rc>\n');
});

test('a line that is too long is answered once, whether its end is seen or not', async (t) => {
  t.is(await through([`${'x'.repeat(11)}\na\n`]), '!\n<a>\n');
  t.is(await through(['x'.repeat(11), 'x'.repeat(50), '\na\n']), '!\n<a>\n');
  t.is(await through(['x'.repeat(11)]), '!\n');
});

test('it does not matter where the bytes are cut', async (t) => {
  const bytes = Buffer.from('eins\nzwei\r\n\nবাংলা\n👍\nlast');
  const whole = await through([bytes]);
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 8 }), async (cuts) => {
      const places = [0, ...cuts.sort((a, b) => a - b), bytes.length];
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
      return (await through(chunks.filter((chunk) => chunk.length > 0))) === whole;
    }),
  );
  t.is(whole, '<eins>\n<zwei>\n<বাংলা>\n<👍>\n<last>\n');
});

test('nothing more is read while the reader does not take what there is', async (t) => {
  let read = 0;
  const input = Readable.from(
    (function* () {
      for (; read < 1000; read++) yield 'line\n';
    })(),
    { objectMode: false, highWaterMark: 1 },
  );
  const release: (() => void)[] = [];
  const slow = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => release.push(done) });
  const piped = pipeLines(input, slow, echo);
  await new Promise((resolve) => setTimeout(resolve, 50));
  t.true(read < 20, `${read} lines were read`);
  const pump = setInterval(() => release.shift()?.(), 0);
  await piped;
  clearInterval(pump);
  t.is(read, 1000);
  t.is(slow.listenerCount('drain'), 0);
});

test('a reader who went away ends it', async (t) => {
  const output = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) });
  let read = 0;
  const input = Readable.from(
    (function* () {
      for (;;) yield `${read++}\n`;
    })(),
    { objectMode: false },
  );
  await pipeLines(input, output, echo);
  t.true(read > 0);
});
