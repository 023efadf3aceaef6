/**
 * The QR code of a session as a picture, where `qr_image` of create points to. The address alone gives
 * access, and only to the code.
 */
import type { FastifyInstance } from 'fastify';
import { findCode } from '../../../src/actions/sessions/find-payment.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { RouteContext } from '../context.js';
import { sendQr } from '../qr-picture.js';
import { loadQrImage, QR_FILE } from '../schemas/headless.js';

/** The code of a session never changes. */
const CACHE_CONTROL = 'private, max-age=86400, immutable';
/** EMVCo asks for a quiet zone of four modules. */
const MARGIN = 4;
/** Pixels of a module: even the smallest code is then wider than 300 with its quiet zone. */
const SCALE = 8;

export function qrImageRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.get<{ Params: { readonly file: string } }>('/api/qr/:file', loadQrImage, async (request, reply) => {
    await limits.countUse(request);
    const { file } = request.params;
    const [token, form] = QR_FILE.test(file) ? file.split('.') : [];
    const payload = token === undefined ? null : await findCode(core, token);
    if (payload === null) {
      await limits.countCheckoutFailure(request);
      throw new KashboxError('not_found', { message: 'There is no such QR code' });
    }
    const type = form === 'svg' ? form : 'png';
    return sendQr(reply, payload, CACHE_CONTROL, { type, margin: MARGIN, scale: SCALE });
  });
}
