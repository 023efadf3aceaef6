/**
 * The other side of the page's ratio: the daemon's own app with its parser, headers and log, and one route
 * that sends the bytes and headers of a recorded page, over TLS. Its arguments are the file of the recording
 * and a home with a certificate; the first line that it prints is its port.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { bareApp } from '../../daemon/http/app.js';
import { openLog } from '../../src/base/io/log.js';
import { readSettings } from '../../src/config/settings.js';

export interface Recording {
  readonly headers: Readonly<Record<string, string>>;
  readonly base64: string;
}

const [, , file = '', home = ''] = process.argv;
const { headers, base64 } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
const body = Buffer.from(base64, 'base64');
const settings = readSettings({}, process.env, {});
const pem = (name: string) => readFileSync(join(home, 'tls', name), 'utf8');
const tls = { cert: pem('cert.pem'), key: pem('key.pem') };
const app = bareApp(settings, { log: openLog(settings.logLevel).log, tls });
app.get('/api/execute/:ref', async (_request, reply) => reply.headers(headers).send(body));
await app.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', () => void app.close());
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
