/** QR codes as pictures, whose addresses hold no secret and which load nothing. */
import type { FastifyReply } from 'fastify';

/** In modules or pixels, as `qrcode` takes them. */
interface Look {
  readonly margin?: number;
  readonly scale?: number;
  readonly width?: number;
}

/** @param cacheControl value of the header. EMVCo asks for level M where a screen is scanned. */
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
