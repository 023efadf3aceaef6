/** The QR code of an account, for customers who pay from another device than the one that shows the page. */
import type { FastifyInstance } from 'fastify';
import { KashboxError } from '../../../src/base/errors.js';
import { checkoutOf, type Desk } from './desk.js';

const MAX_AGE_S = 600;

/** Only of what the page of that payment shows. */
export function qrRoute(scope: FastifyInstance, desk: Desk): void {
  scope.get('/:ref/qr/:channel/:type', async (request, reply) => {
    await desk.limits.countUse(request);
    const { channel, type } = request.params as { readonly channel: string; readonly type: string };
    const { methods } = await checkoutOf(desk, request);
    const accounts = methods.find((method) => method.channel === channel)?.accounts;
    const text = accounts?.find((account) => account.type === type)?.details.qr;
    if (text === undefined) throw new KashboxError('session_not_found');
    // Few shops show a code; the others do without what draws it.
    const { toString: qrText } = await import('qrcode');
    const svg = await qrText(text, { type: 'svg', errorCorrectionLevel: 'M' });
    return reply
      .header('cache-control', `private, max-age=${MAX_AGE_S}`)
      .header('content-security-policy', "default-src 'none'")
      .type('image/svg+xml')
      .send(svg);
  });
}
