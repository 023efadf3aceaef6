/**
 * The other side of the ratios: the daemon's own app with its parsers, readers, schemas, headers and log, and
 * routes behind the daemon's gate that answer what the real ones answer and store nothing.
 * Its arguments are a home with a brand and a file of answers; the first line that it prints is its port.
 */
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { bareApp } from '../../daemon/http/app.js';
import { addBrandGate, callerBrand } from '../../daemon/http/gates/auth.js';
import { registerLimits } from '../../daemon/http/gates/limits.js';
import { acceptForms, getParameters } from '../../daemon/http/input/forms.js';
import { createPayment, parseClaim, parseCreate, verifyPayment } from '../../daemon/http/routes/payment.js';
import { openCore } from '../../src/actions/core/core.js';
import { openLog } from '../../src/base/io/log.js';

/** The bodies of real answers. */
export interface NothingAnswers {
  readonly create: unknown;
  readonly hit: unknown;
  readonly miss: unknown;
}

const [, , folder = '', file = ''] = process.argv;
const { create, hit, miss } = JSON.parse(readFileSync(file, 'utf8')) as NothingAnswers;
const core = await openCore({ folder, env: process.env });
const app = bareApp(core.settings, { log: openLog(core.settings.logLevel).log });
const limits = await registerLimits(app, core.settings, null, () => {});

await app.register(async (scope) => {
  addBrandGate(scope, core, limits);
  acceptForms(scope);
  scope.post('/create', createPayment, async (request) => {
    parseCreate(getParameters(request), callerBrand(request));
    return create;
  });
  scope.post('/hit', verifyPayment, async (request) => {
    parseClaim(getParameters(request));
    return hit;
  });
  scope.post('/miss', verifyPayment, async (request, reply) => {
    parseClaim(getParameters(request));
    return reply.code(404).send(miss);
  });
});
await app.listen({ host: '127.0.0.1', port: 0 });
process.on('SIGTERM', () => void app.close().then(() => core.close()));
process.stdout.write(`${(app.server.address() as AddressInfo).port}\n`);
