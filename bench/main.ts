/**
 * `npm run bench [-- [--quick | --smoke] WORD…]`: answers the questions of the benchmark one after the other.
 * A full run writes docs/development/benchmarks.md; a part or a quick run only prints. Exits with 1 when a
 * figure misses what is asked of it; a smoke run is a quick one that asks only whether each question can be
 * answered.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { holds, type Question, type Run } from './harness/figure.js';
import { machineFacts } from './harness/machine.js';
import { type Answered, lineOf, page } from './harness/page.js';
import { root } from './harness/servers.js';
import { create } from './questions/create.js';
import { growth } from './questions/growth.js';
import { ingest } from './questions/ingest.js';
import { memory } from './questions/memory.js';
import { opening } from './questions/page.js';
import { postgres } from './questions/postgres.js';
import { start } from './questions/start.js';
import { verify } from './questions/verify.js';

const QUESTIONS: readonly Question[] = [create, verify, ingest, growth, memory, opening, postgres, start];

function chosen(words: readonly string[]): readonly Question[] {
  const unknown = words.filter((word) => !QUESTIONS.some((question) => question.word === word));
  if (unknown.length > 0) {
    const known = QUESTIONS.map((question) => question.word).join(' ');
    console.error(`There is no question "${unknown.join(' ')}"; there are: ${known}`);
    process.exit(2);
  }
  return words.length === 0 ? QUESTIONS : QUESTIONS.filter(({ word }) => words.includes(word));
}

/** What a question has started and written; undone, last first, when it is answered or the run is stopped. */
const cleanUps: (() => unknown)[] = [];

async function cleanUp(): Promise<void> {
  for (let undo = cleanUps.pop(); undo !== undefined; undo = cleanUps.pop()) await undo();
}

async function answer(question: Question, quick: boolean): Promise<Answered> {
  const folder = mkdtempSync(join(tmpdir(), 'kashbox-bench-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  const run: Run = {
    quick,
    folder: (name) => join(folder, name),
    atEnd: (undo) => cleanUps.push(undo),
    say: (line) => console.error(`  ${line}`),
  };
  try {
    return { question, figures: await question.answer(run) };
  } finally {
    await cleanUp();
  }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void cleanUp().finally(() => process.exit(1)));
}

const { values, positionals } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, smoke: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const questions = chosen(positionals);
const quick = values.quick || values.smoke;
const facts = machineFacts();
const began = performance.now();
const answers: Answered[] = [];
for (const fact of facts) console.log(fact);
for (const question of questions) {
  console.log(`\n${question.title}`);
  const answered = await answer(question, quick);
  for (const figure of answered.figures) console.log(`  ${lineOf(figure)}`);
  answers.push(answered);
}
const seconds = (performance.now() - began) / 1000;
console.log(`\n${Math.round(seconds)} s`);
if (questions === QUESTIONS && !quick) {
  const day = new Date().toISOString().slice(0, 10);
  writeFileSync(join(root, 'docs', 'development', 'benchmarks.md'), page(answers, facts, day, seconds));
}
if (!values.smoke && answers.some(({ figures }) => !figures.every(holds))) process.exitCode = 1;
