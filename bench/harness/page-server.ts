/**
 * The other side of the page's ratio: the daemon's own app with its parser, headers and log, and one route
 * that sends the bytes and headers of a recorded page. Its argument is the file of the recording; the first
 * line that it prints is its port.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { bareApp } from '../../daemon/http/app.js';
import { openLog } from '../../src/base/log.js';
import { readSettings } from '../../src/config/settings.js';

export interface Recording {
  readonly headers: Readonly<Record<string, string>>;
  readonly base64: string;
}

const [, , file = ''] = process.argv;
const { headers, base64 } = JSON.parse(readFileSync(file, 'utf8')) as Recording;
const body = Buffer.from(base64, 'base64');
const settings = readSettings({}, process.env, {});
const app = bareApp(settings, { log: openLog(settings.logLevel).log });
app.get('/api/execute/:ref', async (_request, reply) => reply.headers(headers).send(body));
await app.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', () => void app.close());
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
