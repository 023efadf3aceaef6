/** The panels of the machinery: nodes of the chain and jobs of the daemons. Pure. */
import type { Board } from '../actions/upkeep/read-dashboard.js';
import { ageText, msOf } from './age.js';
import type { Column, Panel } from './panel.js';

const NODE_COLUMNS: readonly Column[] = [
  { head: 'STATE', width: 7, rank: 0 },
  { head: 'NODE', width: 26, least: 9, upTo: 40, rank: 0 },
  { head: 'OK', width: 4, align: 'right', rank: 1 },
  { head: 'CALLS', width: 8, align: 'right', rank: 3 },
  { head: 'FAILED', width: 7, align: 'right', rank: 2 },
  { head: 'LAST FAILURE', width: 14, upTo: 30, rank: 4 },
];

type Node = Board['nodes'][number];

/** Its last word counts: it has failed since it was last well. */
function isFailing({ last_ok_at, last_failure }: Node): boolean {
  return last_failure !== null && (msOf(last_failure.at) ?? 0) > (msOf(last_ok_at) ?? 0);
}

export function nodesPanel(nodes: Board['nodes'], now: number): Panel {
  const failing = nodes.filter(isFailing).length;
  const ok = { text: `${nodes.length - failing} ok`, tone: nodes.length > failing ? 'good' : 'dim' } as const;
  return {
    id: 'nodes',
    title: 'Nodes',
    summary: failing === 0 ? [ok] : [{ text: `${failing} failing`, tone: 'bad' }, ok],
    sparks: [],
    columns: NODE_COLUMNS,
    rows: nodes.map((node) => ({
      key: node.id,
      cells: [
        isFailing(node) ? { text: 'failing', tone: 'bad' } : { text: 'ok', tone: 'good' },
        { text: node.origin.replace('https://', '') },
        { text: ageText(node.last_ok_at, now) },
        { text: String(node.calls) },
        { text: String(Object.values(node.failures).reduce((sum, count) => sum + count, 0)) },
        { text: node.last_failure === null ? '' : node.last_failure.kind.replaceAll('_', ' '), tone: 'dim' },
      ],
      thing: node,
    })),
    empty: 'No node: no USDT.',
  };
}

const JOB_COLUMNS: readonly Column[] = [
  { head: 'STATE', width: 6, rank: 0 },
  { head: 'JOB', width: 21, least: 12, rank: 0 },
  { head: 'LAST', width: 4, align: 'right', rank: 1 },
  { head: 'MS', width: 6, align: 'right', rank: 2 },
  { head: 'RUNS', width: 8, align: 'right', rank: 3 },
  { head: 'ERRORS', width: 6, align: 'right', rank: 4 },
  { head: 'LAST ERROR', width: 14, upTo: 40, rank: 5 },
];

const JOB_TONES = { ok: 'good', failed: 'bad', silent: 'warn' } as const;

export function jobsPanel(jobs: Board['jobs'], now: number): Panel {
  const counts = (['failed', 'silent', 'ok'] as const).map((state) => ({
    state,
    count: jobs.filter((job) => job.state === state).length,
  }));
  return {
    id: 'jobs',
    title: 'Jobs',
    summary: counts
      .filter(({ count }) => count > 0)
      .map(({ state, count }) => ({ text: `${count} ${state}`, tone: JOB_TONES[state] })),
    sparks: [],
    columns: JOB_COLUMNS,
    // Those in trouble first.
    rows: counts
      .flatMap(({ state }) => jobs.filter((job) => job.state === state))
      .map((job) => ({
        key: job.name,
        cells: [
          { text: job.state, tone: JOB_TONES[job.state] },
          { text: job.name },
          { text: job.continuous && job.state !== 'silent' ? 'live' : ageText(job.last_at, now) },
          { text: job.last_ms === null ? '' : String(job.last_ms) },
          { text: String(job.runs) },
          { text: String(job.errors), tone: job.errors > 0 ? 'warn' : 'dim' },
          { text: job.last_error ?? '', tone: 'dim' },
        ],
        thing: job,
      })),
    empty: 'No daemon ran yet.',
  };
}
