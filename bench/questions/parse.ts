/** How long does it take to read one SMS? */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createSmsEngine, readSms, type SmsText } from '../../src/channels/mfs/index.js';
import type { Question } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { root } from '../harness/servers.js';

interface CorpusLine {
  readonly sender: string;
  readonly body: string;
  readonly received_at?: string;
}

export const parse: Question = {
  word: 'parse',
  title: 'Reading an SMS',
  about:
    'Every line of test/fixtures/sms-corpus.jsonl, real and forged, through the SMS engine: the average per ' +
    'message. Against `JSON.parse` of a line of that file, which says how fast the machine is.',
  async answer(run) {
    const lines = readFileSync(join(root, 'test/fixtures/sms-corpus.jsonl'), 'utf8').trim().split('\n');
    const texts = lines.map((line): SmsText => {
      const { sender, body, received_at } = JSON.parse(line) as CorpusLine;
      return { sender, body, receivedAtMs: received_at === undefined ? null : Date.parse(received_at) };
    });
    const engine = createSmsEngine();
    const passes = run.quick ? 10 : 50;
    const average = (work: () => void): number => {
      const began = performance.now();
      for (let pass = 0; pass < passes; pass += 1) work();
      return ((performance.now() - began) * 1000) / passes / lines.length;
    };
    const results = await alternate(run.quick ? 5 : 15, {
      json: async () => average(() => lines.forEach((line) => void JSON.parse(line))),
      sms: async () => average(() => texts.forEach((text) => void readSms(engine, text))),
    });
    return [
      {
        name: 'parse',
        value: median(results.sms),
        unit: 'µs a message',
        atMost: 25,
        detail: `${medianRatio(results.sms, results.json).toFixed(1)} times JSON.parse of its line, ${lines.length} messages`,
      },
    ];
  },
};
