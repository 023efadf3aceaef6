/** How long does a person, or a script that calls it in a loop, wait for the smallest commands? */
import { spawnSync } from 'node:child_process';
import type { Question } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { kashbox } from '../harness/servers.js';
import { equip } from '../harness/shop.js';

/** What is asked: `merchants list` within 0.35 s where `node -e 0` takes 0.04 s. */
const BARE_NODE_S = 0.04;
const LIST_S = 0.35;

export const start: Question = {
  word: 'start',
  title: 'Starting a command',
  about:
    'Wall time from start to end in the environment of whoever runs this, against `node -e 0` in the same: within ' +
    `${LIST_S} s where that takes ${BARE_NODE_S} s is ${LIST_S / BARE_NODE_S} times.`,
  async answer(run) {
    const home = run.folder('start');
    await equip(home, 1, async () => undefined);
    const wall = (...args: readonly string[]) => {
      const began = performance.now();
      const env = { ...process.env, KASHBOX_HOME: home };
      const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
      if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
      return performance.now() - began;
    };
    const results = await alternate(run.quick ? 7 : 25, {
      node: async () => wall('-e', '0'),
      version: async () => wall(kashbox, '--version'),
      list: async () => wall(kashbox, 'merchants', 'list', '--json'),
    });
    const node = `node -e 0: ${Math.round(median(results.node))} ms`;
    const figure = (name: string, times: readonly number[]) => ({
      name,
      value: medianRatio(times, results.node),
      unit: 'times `node -e 0`',
      detail: `${Math.round(median(times))} ms; ${node}`,
    });
    return [
      figure('kashbox --version', results.version),
      { ...figure('kashbox merchants list', results.list), atMost: LIST_S / BARE_NODE_S },
    ];
  },
};
