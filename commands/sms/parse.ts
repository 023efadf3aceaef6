/** `kashbox sms parse` */
import { join } from 'node:path';
import { boolean, string } from '@oclif/core/flags';
import { loadSmsEngine } from '../../src/actions/core/load-sms-engine.js';
import { refusal, SmsLines, toAnswer } from '../../src/actions/sms/parse-sms-lines.js';
import { refuse } from '../../src/base/errors/refuse.js';
import { parseSms, type SmsEngine } from '../../src/channels/mfs/index.js';
import { command } from '../../src/cli/command/define.js';
import { optionalWord } from '../../src/cli/command/flags.js';
import { pipeLines, textFrom } from '../../src/cli/input/pipe-lines.js';
import { explainReading } from '../../src/cli/text/explain-reading.js';

/** A line of a pipe; the SMS in it are bounded by the engine. */
const LONGEST_LINE = 1 << 20;

export default command({
  summary: 'Test how an SMS is parsed.',
  description:
    'Nothing is stored; no home folder or database is needed. With --ndjson it reads one SMS per line ' +
    'from stdin, {"id","sender","body","received_at"} with id and received_at optional, and writes one ' +
    'line each, in order. A line that is not an SMS gets an error line, and the exit code is 2 at the ' +
    'end.',
  examples: [
    '$ --sender bKash "You have received Tk 325.00 from 01900000001. Fee Tk 0.00. Balance Tk 731.19. TrxID DHL60302ZX at 21/08/2026 12:35"',
    'cat sms.ndjson | $ --ndjson',
  ],
  args: {
    text: optionalWord('The whole text, exactly as the phone shows it; from stdin if absent or "-".'),
  },
  flags: {
    sender: string({
      description: 'Sender exactly as the phone shows it, such as bKash.',
      exclusive: ['ndjson'],
    }),
    ndjson: boolean({ description: 'Read and write one JSON object per line.', exclusive: ['json'] }),
  },
  async run({ cli, args, flags }) {
    const engine = loadSmsEngine(join((await cli.homeFolder()).folder, 'formats'));
    if (flags.ndjson) return pipe(engine);
    if (flags.sender === undefined) {
      refuse(
        'Missing flag --sender',
        'Name the sender that the phone shows, for example --sender bKash; or use --ndjson for many.',
      );
    }
    const body = args.text === undefined || args.text === '-' ? await textFrom(process.stdin) : args.text;
    const reading = parseSms(engine, { sender: flags.sender, body, receivedAtMs: null });
    const { reasons, format } = reading;
    cli.show({ ...toAnswer(reading), reasons, format }, flags, () => explainReading(reading));
  },
});

async function pipe(engine: SmsEngine): Promise<void> {
  const lines = new SmsLines(engine);
  await pipeLines(process.stdin, process.stdout, {
    longestLine: LONGEST_LINE,
    answer(text) {
      const { line, ok } = lines.answer(text);
      if (!ok) process.exitCode = 2;
      return line;
    },
    tooLong() {
      process.exitCode = 2;
      return refusal(null, `The line is longer than ${LONGEST_LINE} characters`);
    },
  });
}
