/** What does it cost that a customer opens the checkout page? */
import { equipCheckout } from '../harness/checkout.js';
import { visit } from '../harness/client.js';
import type { Question } from '../harness/figure.js';
import { alternate, median } from '../harness/rounds.js';
import { startDaemon } from '../harness/servers.js';
import { processorMs } from '../harness/usage.js';

/** Different payments that are opened in turn. */
const PAGES = 500;
export const opening: Question = {
  word: 'page',
  title: 'Opening the checkout page',
  about:
    '`GET /api/execute/<ref>` in Bangla, br, by new browsers over one kept TLS connection: an open payment with ' +
    'four wallets and a bank. The processor time of the daemon for each.',
  async answer(run) {
    const home = run.folder('page');
    const paths = await equipCheckout(home, ({ pages }) => pages(PAGES));
    const daemon = await startDaemon(run, home);
    const perRound = run.quick ? 2_000 : 6_000;
    const asked = Array.from({ length: perRound }, (_, at) => paths[at % paths.length] ?? '');
    const port = Number(new URL(daemon.url).port);
    const headers = {
      accept: 'text/html',
      'accept-language': 'bn-BD,bn;q=0.9',
      'accept-encoding': 'gzip, br',
    };
    const { certificate } = daemon;
    const { page } = await alternate(run.quick ? 3 : 9, {
      page: async () => {
        const before = processorMs(daemon);
        const { p50Ms } = await visit({
          port,
          certificate,
          headers,
          paths: asked,
          connections: 1,
          expect: 200,
        });
        return { p50Ms, usedMs: (processorMs(daemon) - before) / perRound };
      },
    });
    return [
      {
        name: 'page',
        value: median(page.map(({ usedMs }) => usedMs)),
        unit: 'ms of the processor',
        atMost: 1,
        detail: `p50 ${median(page.map(({ p50Ms }) => p50Ms)).toFixed(2)} ms`,
      },
    ];
  },
};
