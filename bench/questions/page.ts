/** How many customers can open the checkout page, next to sending the same bytes from memory? */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { equipCheckout } from '../harness/checkout.js';
import { type Answer, type Load, visit } from '../harness/client.js';
import type { Question } from '../harness/figure.js';
import type { Recording } from '../harness/page-server.js';
import { alternate, median, medianRatio } from '../harness/rounds.js';
import { type Daemon, type Server, startDaemon, startNothing } from '../harness/servers.js';
import { processorMs } from '../harness/usage.js';

/** Different payments that are opened in turn. */
const PAGES = 500;
/** What the daemon's server writes by itself. */
const OWN_HEADERS = /^(date|connection|keep-alive|content-length)$/;

export const opening: Question = {
  word: 'page',
  title: 'Opening the checkout page',
  about:
    '`GET /api/execute/<ref>` in Bangla, br, by new browsers over one kept TLS connection: an open payment with ' +
    'four wallets and a bank. Against a route of the same app that sends the bytes and headers of one such page. ' +
    'Throughput is that of a core, by the processor time of the server for each page: how fast a client on the ' +
    'same two cores keeps up with either side does not count.',
  async answer(run) {
    const home = run.folder('page');
    const paths = await equipCheckout(home, ({ pages }) => pages(PAGES));
    const daemon = await startDaemon(run, home);
    const file = join(home, 'page.json');
    const { recording, size } = await record(daemon, paths.slice(0, 1));
    writeFileSync(file, JSON.stringify(recording));
    const nothing = await startNothing(run, 'page-server', file, home);
    const perRound = run.quick ? 4_000 : 6_000;
    const asked = Array.from({ length: perRound }, (_, at) => paths[at % paths.length] ?? '');
    const side = async (server: Server, port: number): Promise<Opened> => {
      const before = processorMs(server);
      const load = await visit(visits(port, daemon, asked));
      return { ...load, perCoreSecond: (1_000 * perRound) / (processorMs(server) - before) };
    };
    const results = await alternate(run.quick ? 3 : 9, {
      nothing: () => side(nothing, nothing.port),
      daemon: () => side(daemon, portOf(daemon)),
    });
    const of = (name: keyof typeof results, key: keyof Opened) => results[name].map((load) => load[key]);
    const rate = (name: keyof typeof results) => `${Math.round(median(of(name, 'perCoreSecond')))}/s`;
    const ms = (key: 'p50Ms' | 'p99Ms') => `${median(of('daemon', key)).toFixed(2)} ms`;
    return [
      {
        name: 'page',
        value: medianRatio(of('daemon', 'perCoreSecond'), of('nothing', 'perCoreSecond')),
        unit: 'of the throughput of storing nothing',
        atLeast: 0.4,
        detail: `${rate('daemon')} against ${rate('nothing')} on a core, ${size} bytes each`,
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

interface Opened extends Load {
  readonly perCoreSecond: number;
}

const portOf = ({ url }: Daemon) => Number(new URL(url).port);

function visits(port: number, { certificate }: Daemon, paths: readonly string[]) {
  const headers = { accept: 'text/html', 'accept-language': 'bn-BD,bn;q=0.9', 'accept-encoding': 'gzip, br' };
  return { port, certificate, headers, paths, connections: 1, expect: 200 };
}

async function record(
  daemon: Daemon,
  paths: readonly string[],
): Promise<{ readonly recording: Recording; readonly size: number }> {
  let answer: Answer | undefined;
  const onAnswer = (_index: number, given: Answer) => {
    answer = given;
  };
  await visit({ ...visits(portOf(daemon), daemon, paths), onAnswer });
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
