/**
 * How long does a person, or a script that calls it in a loop, wait for the smallest commands and a daemon?
 */
import { spawnSync } from 'node:child_process';
import type { Figure, Question } from '../harness/figure.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { kashbox, startDaemon } from '../harness/servers.js';
import { equip } from '../harness/shop.js';

export const start: Question = {
  word: 'start',
  title: 'Starting',
  about:
    'Wall time in the environment of whoever runs this: of commands from start to end, of the daemon until it ' +
    'listens. Against `node -e 0` from start to end.',
  async answer(run) {
    const home = run.folder('start');
    await equip(home, 1, async () => undefined);
    const timed = async (work: () => unknown) => {
      const began = performance.now();
      await work();
      return performance.now() - began;
    };
    const wall = (...args: readonly string[]) =>
      timed(() => {
        const env = { ...process.env, KASHBOX_HOME: home };
        const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
        if (status !== 0) throw new Error(`node ${args.join(' ')} ended with ${status}: ${stderr}`);
      });
    const results = await alternate(run.quick ? 7 : 25, {
      node: () => wall('-e', '0'),
      version: () => wall(kashbox, '--version'),
      list: () => wall(kashbox, 'merchants', 'list', '--json'),
      daemon: async () => {
        let stop = async () => {};
        const ownRun = { ...run, atEnd: (end: () => unknown) => (stop = async () => void (await end())) };
        const took = await timed(() => startDaemon(ownRun, home));
        await stop();
        return took;
      },
    });
    const node = `node -e 0: ${Math.round(median(results.node))} ms`;
    const figure = (name: string, times: readonly number[], atMost: number): Figure => ({
      name,
      value: medianRatio(times, results.node),
      unit: 'times `node -e 0`',
      atMost,
      detail: `${Math.round(median(times))} ms; ${node}`,
    });
    return [
      figure('kashbox --version', results.version, 1.8),
      figure('kashbox merchants list', results.list, 3),
      figure('kashbox daemon, until it listens', results.daemon, 6),
    ];
  },
};
