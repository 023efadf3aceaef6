/** How many customers can open the checkout page, next to sending the same bytes from memory? */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equipCheckout } from '../harness/checkout.js';
import { type Answer, type Load, visit } from '../harness/client.js';
import type { Question } from '../harness/figure.js';
import type { Recording } from '../harness/page-server.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Server, startDaemon, startNothing } from '../harness/servers.js';
import { CONNECTIONS } from '../harness/till.js';

/** Different payments that are opened in turn. */
const PAGES = 500;
/** What the daemon's server writes by itself. */
const OWN_HEADERS = /^(date|connection|keep-alive|content-length)$/;

export const opening: Question = {
  word: 'page',
  title: 'Opening the checkout page',
  about:
    `\`GET /api/execute/<ref>\` in Bangla, gzip, by first visitors over ${CONNECTIONS} kept connections: an open payment ` +
    'with four wallets and a bank. Against a route of the same app that sends the bytes and headers of one such page.',
  async answer(run) {
    const home = run.folder('page');
    const paths = await equipCheckout(home, ({ pages }) => pages(PAGES));
    const daemon = await startDaemon(run, home);
    const file = join(home, 'page.json');
    const { recording, size } = await record(daemon, paths.slice(0, 1));
    writeFileSync(file, JSON.stringify(recording));
    const nothing = await startNothing(run, 'page-server', file);
    const perRound = run.quick ? 2_000 : 4_000;
    const asked = Array.from({ length: perRound }, (_, at) => paths[at % paths.length] ?? '');
    const results = await alternate(run.quick ? 3 : 9, {
      nothing: () => visit(visits(nothing, asked)),
      daemon: () => visit(visits(daemon, asked)),
    });
    const of = (side: keyof typeof results, key: keyof Load) => results[side].map((load) => load[key]);
    const rate = (side: keyof typeof results) => `${Math.round(median(of(side, 'perSecond')))}/s`;
    const ms = (key: 'p50Ms' | 'p99Ms') => `${median(of('daemon', key)).toFixed(2)} ms`;
    return [
      {
        name: 'page',
        value: medianRatio(of('daemon', 'perSecond'), of('nothing', 'perSecond')),
        unit: 'of the throughput of storing nothing',
        atLeast: 0.4,
        detail: `${rate('daemon')} against ${rate('nothing')}, ${size} bytes each`,
      },
      {
        name: 'page: p99',
        value: medianRatio(of('daemon', 'p99Ms'), of('daemon', 'p50Ms')),
        unit: 'times p50',
        atMost: 5,
        detail: `p50 ${ms('p50Ms')}, p99 ${ms('p99Ms')}`,
      },
    ];
  },
};

function visits({ port }: Server, paths: readonly string[]) {
  const headers = { accept: 'text/html', 'accept-language': 'bn-BD,bn;q=0.9', 'accept-encoding': 'gzip, br' };
  return { port, headers, paths, connections: CONNECTIONS, expect: 200 };
}

async function record(
  daemon: Server,
  paths: readonly string[],
): Promise<{ readonly recording: Recording; readonly size: number }> {
  let answer: Answer | undefined;
  const onAnswer = (_index: number, given: Answer) => {
    answer = given;
  };
  await visit({ ...visits(daemon, paths), onAnswer });
  const [, ...lines] = answer?.head.split('\r\n') ?? [];
  const headers = lines
    .map((line): [string, string] => {
      const at = line.indexOf(': ');
      return [line.slice(0, at).toLowerCase(), line.slice(at + 2)];
    })
    .filter(([name]) => !OWN_HEADERS.test(name));
  const body = answer?.body ?? Buffer.alloc(0);
  return {
    recording: { headers: Object.fromEntries(headers), base64: body.toString('base64') },
    size: body.length,
  };
}
