/**
 * What `npm run mutate` runs: settlement and domain, then their results by room, as in
 * docs/development/mutation.md.
 * Words after it choose the runs: `npm run mutate -- wallets` takes 40 minutes and is run only so.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runChild } from '../../bin/child.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const KILLED = ['Killed', 'Timeout'];
const SURVIVED = ['Survived', 'NoCoverage'];

/** @returns {Map<string, {killed: number, survived: number}>} by room */
function tally(name) {
  const { files } = JSON.parse(readFileSync(join(root, `dist/.mutation/${name}.json`), 'utf8'));
  const rooms = new Map();
  for (const [path, { mutants }] of Object.entries(files)) {
    const room = path.split('/').slice(0, 3).join('/');
    const count = rooms.get(room) ?? { killed: 0, survived: 0 };
    rooms.set(room, count);
    count.killed += mutants.filter(({ status }) => KILLED.includes(status)).length;
    count.survived += mutants.filter(({ status }) => SURVIVED.includes(status)).length;
  }
  return rooms;
}

function line(room, { killed, survived }) {
  const score = ((100 * killed) / Math.max(1, killed + survived)).toFixed(1);
  return `| ${room} | ${killed + survived} | ${killed} | ${survived} | ${score} % |`;
}

const wanted = process.argv.slice(2);
let worst = 0;
for (const name of wanted.length > 0 ? wanted : ['settlement', 'domain']) {
  const stryker = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
  const config = join('test', 'mutation', `${name}.config.js`);
  const code = await runChild(process.execPath, [stryker, 'run', config], { cwd: root });
  worst = Math.max(worst, code);
  const rooms = tally(name);
  const whole = { killed: 0, survived: 0 };
  for (const count of rooms.values()) {
    whole.killed += count.killed;
    whole.survived += count.survived;
  }
  for (const [room, count] of rooms) console.log(line(room, count));
  if (rooms.size > 1) console.log(line('together', whole));
}
process.exitCode = worst;
