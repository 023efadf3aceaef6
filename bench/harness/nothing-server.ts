/**
 * The other side of the ratios: the daemon's own app with its parser, schemas, headers and log, and routes
 * that answer what the real ones answer and store nothing. It asks nobody for a key either.
 * Its argument is a file of answers; the first line that it prints is its port.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { bareApp } from '../../daemon/http/app.js';
import { CreateAnswer, CreateBody, Message, VerifyAnswer, VerifyBody } from '../../daemon/http/schemas.js';
import { openLog } from '../../src/base/log.js';
import { readSettings } from '../../src/config/settings.js';

/** The bodies of real answers. */
export interface NothingAnswers {
  readonly create: unknown;
  readonly hit: unknown;
  readonly miss: unknown;
}

const { create, hit, miss } = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as NothingAnswers;
const settings = readSettings({ trustProxy: '127.0.0.1' }, {}, {});
const app = bareApp(settings, { log: openLog(settings.logLevel).log });
const refusals = { '4xx': Message, '5xx': Message };
const verify = { body: VerifyBody, response: { 200: VerifyAnswer, 202: VerifyAnswer, ...refusals } };
app.post(
  '/create',
  { schema: { body: CreateBody, response: { 200: CreateAnswer, ...refusals } } },
  async () => create,
);
app.post('/hit', { schema: verify }, async () => hit);
app.post('/miss', { schema: verify }, async (_request, reply) => reply.code(404).send(miss));
await app.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', () => void app.close());
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
