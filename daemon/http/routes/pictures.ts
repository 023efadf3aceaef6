/**
 * Pictures whose address alone gives access, and only to them: the QR code of a payment, where `qr_image`
 * of create points to, and the pictures of a brand, as its checkout pages load them.
 */
import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { findPicture } from '../../../src/actions/brands/brand-theme.js';
import { findCode } from '../../../src/actions/sessions/find-payment.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { SESSION_ID } from '../../../src/base/values/ids.js';
import type { RouteContext } from '../context.js';
import { text } from '../schemas/fields.js';
import { content, OF_THE_STORE, operation } from '../schemas/operation.js';

/** A session and what kind of picture. */
const QR_FILE = new RegExp(SESSION_ID.source.replace('$', '\\.(png|svg)$'));

const getQrImage = operation({
  operationId: 'getQrImage',
  tag: 'headless',
  access: 'open',
  summary: 'The QR code of a payment as a picture',
  description:
    'The address in `qr_image` of create; the phone of the customer loads it. The code contains amount ' +
    'and reference. The address cannot be guessed, and the picture never changes.',
  params: Type.Object({
    file: text('The session and `.png`, or `.svg` for an SVG.', `2b37b7eabf3f93b131a98370d3e060e9.png`, {
      pattern: QR_FILE.source,
    }),
  }),
  answers: { 200: content('The picture, more than 300 pixels wide.', 'image/png', 'image/svg+xml') },
  refusals: [['not_found', 'There is no such QR code'], 'too_many_requests', ...OF_THE_STORE],
});

/** The code of a session never changes. */
const QR_CACHE = 'private, max-age=86400, immutable';
/** Quiet zone of four modules, which EMVCo requires. */
const MARGIN = 4;
/** Pixels of a module: even the smallest code is then wider than 300 with its quiet zone. */
const SCALE = 8;

export function qrImageRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.get<{ Params: { readonly file: string } }>('/api/qr/:file', getQrImage, async (request, reply) => {
    await limits.countUse(request);
    const { file } = request.params;
    const [token, form] = QR_FILE.test(file) ? file.split('.') : [];
    const payload = token === undefined ? null : await findCode(core, token);
    if (payload === null) {
      await limits.countCheckoutFailure(request);
      throw new KashboxError('not_found', { message: 'There is no such QR code' });
    }
    const type = form === 'svg' ? form : 'png';
    return sendQr(reply, payload, QR_CACHE, { type, margin: MARGIN, scale: SCALE });
  });
}

/** Options of `qrcode`, in modules or pixels. */
interface Look {
  readonly margin?: number;
  readonly scale?: number;
  readonly width?: number;
}

/** Uses error correction level M, which EMVCo requires on screens. @param cacheControl header value. */
export async function sendQr(
  reply: FastifyReply,
  text: string,
  cacheControl: string,
  form: { readonly type: 'png' | 'svg' } & Look,
): Promise<FastifyReply> {
  // Loaded on demand: few shops show a code.
  const { default: qrcode } = await import('qrcode');
  const { type, ...look } = form;
  reply
    .header('cache-control', cacheControl)
    .header('content-security-policy', "default-src 'none'; frame-ancestors 'none'");
  const options = { ...look, errorCorrectionLevel: 'M' } as const;
  return type === 'svg'
    ? reply.type('image/svg+xml').send(await qrcode.toString(text, { ...options, type }))
    : reply.type('image/png').send(await qrcode.toBuffer(text, { ...options, type }));
}

/** File name of a picture of a brand: its hash, and the type of picture. */
const PICTURE_FILE = /^[0-9a-f]{32}\.(png|jpg|webp)$/;

const getPicture = operation({
  operationId: 'getPicture',
  tag: 'hosted',
  access: 'open',
  summary: 'A picture of a brand',
  description:
    'The logo, or the mark of a channel, which the checkout page loads. The address is derived from the ' +
    'content: another picture has another address, and it may be cached permanently.',
  params: Type.Object({
    file: text('Hash and `.png`, `.jpg` or `.webp`.', '3f0c1d5a9b7e42680c1d5a9b7e426803.png', {
      pattern: PICTURE_FILE.source,
    }),
  }),
  answers: { 200: content('The picture, in its own type.', 'image/png', 'image/jpeg', 'image/webp') },
  refusals: [['not_found', 'There is no such picture'], 'too_many_requests', ...OF_THE_STORE],
});

/** Cached for ever, because the content determines the address. */
const PICTURE_CACHE = 'public, max-age=31536000, immutable';
/** Policy for a picture that is opened on its own; a picture in a page runs nothing. */
const POLICY = "default-src 'none'; sandbox";
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};

export function pictureRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.get<{ Params: { readonly file: string } }>(
    '/api/picture/:file',
    getPicture,
    async (request, reply) => {
      const { file } = request.params;
      const [, ending = ''] = PICTURE_FILE.exec(file) ?? [];
      const type = TYPES[ending];
      const content = type === undefined ? null : await findPicture(core, file);
      if (type === undefined || content === null) {
        await limits.countCheckoutFailure(request);
        throw new KashboxError('not_found', { message: 'There is no such picture' });
      }
      return reply
        .type(type)
        .header('cache-control', PICTURE_CACHE)
        .header('content-security-policy', POLICY)
        .header('cross-origin-resource-policy', 'same-origin')
        .send(content);
    },
  );
}
