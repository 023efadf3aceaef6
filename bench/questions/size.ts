/** How many bytes must a phone on a slow network wait for? */
import { brotliDecompressSync } from 'node:zlib';
import { equipCheckout } from '../harness/checkout.js';
import type { Question } from '../harness/figure.js';
import { startDaemon } from '../harness/servers.js';
import { get, openLine } from '../harness/tls.js';

const KIB = 1024;
/** What a page makes a browser load. QR codes are not asked for: this shop has none. */
const LOADED = /<(?:script|link|img)\b[^>]*?\s(?:src|href)="(?!data:)([^"]+)"/g;

export const size: Question = {
  word: 'size',
  title: 'Size of the checkout page',
  about:
    'Every byte that a phone gets on a new TLS connection to `kashbox daemon` until the page of an open payment in ' +
    'Bangla, with four wallets and a bank, is there with all that it loads: handshake, certificate, headers, br.',
  async answer(run) {
    const home = run.folder('size');
    const [path = ''] = await equipCheckout(home, ({ pages }) => pages(1));
    const daemon = await startDaemon(run, home);
    const line = await openLine(daemon);
    run.atEnd(() => line.secure.destroy());
    const handshake = line.wire.bytesRead;
    const headers = {
      accept: '*/*',
      'accept-language': 'bn-BD,bn;q=0.9',
      'accept-encoding': 'gzip, deflate, br',
    };
    const page = await get(line, path, headers);
    const first = line.wire.bytesRead;
    const html = brotliDecompressSync(page.body).toString();
    const loaded = [...html.matchAll(LOADED)].map(([, url = '']) => url);
    for (const url of loaded) {
      const { status } = await get(line, url, headers);
      if (status !== 200) throw new Error(`the page loads ${url}, which answers ${status}`);
    }
    const total = line.wire.bytesRead;
    const kib = (bytes: number) => `${(bytes / KIB).toFixed(1)} KiB`;
    return [
      {
        name: 'page with all it loads',
        value: total / KIB,
        unit: 'KiB',
        atMost: 16,
        detail:
          `page ${kib(first - handshake)} (${kib(Buffer.byteLength(html))} unpacked), ` +
          `${loaded.length} other ${kib(total - first)}, handshake ${kib(handshake)}`,
      },
    ];
  },
};
