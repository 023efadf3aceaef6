/** The answers as text: one line each for the terminal, tables for docs/development/benchmarks.md. */
import { type Figure, holds, type Question } from './figure.js';

export interface Answered {
  readonly question: Question;
  readonly figures: readonly Figure[];
}

function number(value: number): string {
  return value >= 100 ? value.toFixed(0) : value.toFixed(2);
}

function wanted({ atLeast, atMost }: Figure): string {
  if (atLeast !== undefined) return `at least ${atLeast}`;
  return atMost === undefined ? '' : `at most ${atMost}`;
}

function verdict(figure: Figure): string {
  if (wanted(figure) === '') return '';
  return holds(figure) ? 'held' : '**missed**';
}

/** "create   0.61 of the throughput …   at least 0.5: held   (7000/s against 12000/s)" */
export function lineOf(figure: Figure): string {
  const asked = wanted(figure) === '' ? '' : `  ${wanted(figure)}: ${verdict(figure).replaceAll('*', '')}`;
  return `${figure.name.padEnd(28)} ${number(figure.value).padStart(7)} ${figure.unit}${asked}  (${figure.detail})`;
}

export function page(
  answers: readonly Answered[],
  facts: readonly string[],
  day: string,
  seconds: number,
): string {
  const parts = answers.flatMap(({ question, figures }) => [
    `## ${question.title}`,
    '',
    question.about,
    '',
    '| | measured | required | | details |',
    '|---|---|---|---|---|',
    ...figures.map(
      (figure) =>
        `| ${figure.name} | ${number(figure.value)} ${figure.unit} | ${wanted(figure)} | ${verdict(figure)} | ${figure.detail} |`,
    ),
    '',
  ]);
  return [
    '# Benchmarks',
    '',
    `Written by \`npm run bench\` on ${day} in ${Math.round(seconds)} s. Most figures are ratios to a baseline of`,
    'the same run: rounds of both alternate, and the median is shown, so that other load on the machine affects',
    'both. Server and client share the machine. Absolute numbers are those of this machine:',
    '',
    ...facts.map((fact) => `- ${fact}`),
    '',
    ...parts,
  ].join('\n');
}
