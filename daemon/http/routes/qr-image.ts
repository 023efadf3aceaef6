/**
 * The QR code of a session as a picture, where `qr_image` of create points to. The address alone gives
 * access, and only to the code.
 */
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Core } from '../../../src/actions/core/core.js';
import { findCode } from '../../../src/actions/sessions/find-payment.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { Limits } from '../gates/limits.js';
import { loadQrImage, QR_FILE } from '../schemas/headless.js';

const MAX_AGE_S = 86_400;
/** Pixels of a module: even the smallest code is then wider than 300 with its quiet zone. */
const SCALE = 8;
/** EMVCo asks for a quiet zone of four modules, and for level M where a screen is scanned. */
const LOOK = { margin: 4, errorCorrectionLevel: 'M' } as const;

export function qrImageRoute(scope: FastifyInstance, core: Core, limits: Limits): void {
  scope.get<{ Params: { readonly file: string } }>('/api/qr/:file', loadQrImage, async (request, reply) => {
    await limits.countUse(request);
    const { file } = request.params;
    const [token, form] = QR_FILE.test(file) ? file.split('.') : [];
    const payload = token === undefined ? null : await findCode(core, token);
    if (payload === null) {
      await limits.countCheckoutFailure(request);
      throw new KashboxError('not_found', { message: 'There is no such QR code' });
    }
    return form === 'svg' ? sendSvg(reply, payload) : sendPng(reply, payload);
  });
}

async function sendPng(reply: FastifyReply, payload: string): Promise<FastifyReply> {
  const { default: qrcode } = await import('qrcode');
  return immutable(reply)
    .type('image/png')
    .send(await qrcode.toBuffer(payload, { ...LOOK, scale: SCALE }));
}

async function sendSvg(reply: FastifyReply, payload: string): Promise<FastifyReply> {
  const { default: qrcode } = await import('qrcode');
  return immutable(reply)
    .type('image/svg+xml')
    .send(await qrcode.toString(payload, { ...LOOK, type: 'svg' }));
}

/** The code of a session never changes. */
function immutable(reply: FastifyReply): FastifyReply {
  return reply
    .header('cache-control', `private, max-age=${MAX_AGE_S}, immutable`)
    .header('content-security-policy', "default-src 'none'");
}
