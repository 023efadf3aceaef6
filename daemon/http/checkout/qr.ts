/** QR codes of a payment's page: of accounts, and of the payment itself, as pictures and as files. */
import type { FastifyInstance } from 'fastify';
import type { CheckoutMethod } from '../../../src/actions/sessions/read-checkout.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import { CHANNEL, isOnChain } from '../../../src/domain/accounts/channels.js';
import { sendQr } from '../qr-picture.js';
import { type CheckoutServices, checkoutOf } from './services.js';

const CACHE_CONTROL = 'private, max-age=600';
/** As people keep it on a telephone: large enough for the scanner of any app. */
const PNG_SIDE = 720;

/** Only of what the page of that payment shows. */
export function qrRoute(scope: FastifyInstance, services: CheckoutServices): void {
  scope.get('/:ref/qr/:channel/:type', async (request, reply) => {
    await services.limits.countUse(request);
    const { channel, type: file } = request.params as { readonly channel: string; readonly type: string };
    const isFile = file.endsWith('.png');
    const { methods, gatewayReference, state, isSuspended } = await checkoutOf(services, request);
    const method = methods.find((known) => known.channel === channel);
    const text = method === undefined ? undefined : codeText(method, isFile ? file.slice(0, -4) : file);
    // No QR code after the payment is over, or for a suspended shop.
    const isPayable = !isSuspended && (state === 'open' || state === 'waiting');
    if (method === undefined || text === undefined || !isPayable) throw new KashboxError('session_not_found');
    if (!isFile) return sendQr(reply, text, CACHE_CONTROL, { type: 'svg' });
    // Shown, where a WebView knows no files: it can still be kept from there.
    const name = CHANNEL[method.channel].kind === 'push' ? 'bangla-qr' : 'qr';
    reply.header('content-disposition', `inline; filename="${name}-${gatewayReference}.png"`);
    return sendQr(reply, text, CACHE_CONTROL, { type: 'png', width: PNG_SIDE });
  });
}

/** What the code of an account says; of a chain's the bare address, which every wallet reads. */
function codeText({ channel, accounts }: CheckoutMethod, type: string): string | undefined {
  const account = accounts.find((known) => known.type === type);
  return isOnChain(channel) ? account?.number : account?.details.qr;
}
