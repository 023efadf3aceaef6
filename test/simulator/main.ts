/** `npm run simulate`: see docs/reliability.md. */
import { parseArgs } from 'node:util';
import { USUAL_SIZE } from './plan.js';
import { run } from './run.js';
import { makeGround } from './world/ground.js';

const { values } = parseArgs({
  options: {
    seed: { type: 'string' },
    seeds: { type: 'string' },
    days: { type: 'string' },
    daemons: { type: 'string' },
    phones: { type: 'string' },
    lines: { type: 'string' },
  },
});
const size = {
  days: Number(values.days ?? USUAL_SIZE.days),
  daemons: Number(values.daemons ?? 2),
  phones: Number(values.phones ?? 3),
};
const ground = await makeGround(size.phones);
let payments = 0;
let completed = 0;
const first = Number(values.seed ?? 1);
const began = process.cpuUsage();
for (let seed = first; seed < first + Number(values.seeds ?? 1); seed += 1) {
  const ran = await run(seed, { ground, size, keptLines: Number(values.lines ?? 0) });
  payments += ran.payments;
  completed += ran.completed;
  if (ran.faults.length > 0) {
    console.log(ran.lines.join('\n'));
    console.log(ran.faults.join('\n'));
  }
  console.log(
    `seed ${seed} trace ${ran.trace} ${ran.faults.length === 0 ? 'ok' : 'FAILED'} payments ${ran.payments} completed ${ran.completed}`,
  );
}
const used = process.cpuUsage(began);
const seconds = (used.user + used.system) / 1e6;
console.log(
  `${payments} payments, ${completed} completed, ${seconds.toFixed(2)} s CPU, ${(payments / seconds).toFixed(0)}/s`,
);
