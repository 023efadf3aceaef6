/** The logo of a brand, as its checkout pages load it. The address alone gives access, and only to it. */
import type { FastifyInstance } from 'fastify';
import { findLogo } from '../../../src/actions/brands/brand-look.js';
import { KashboxError } from '../../../src/base/errors/errors.js';
import type { RouteContext } from '../context.js';
import { LOGO_FILE, loadLogo } from '../schemas/hosted.js';

/** What is in the picture makes its address. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable';
/** A picture in a page runs nothing; this is for who opens it by itself. */
const POLICY = "default-src 'none'; sandbox";
const TYPES: Readonly<Record<string, string>> = {
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
};

export function logoRoute(scope: FastifyInstance, { core, limits }: RouteContext): void {
  scope.get<{ Params: { readonly file: string } }>('/api/logo/:file', loadLogo, async (request, reply) => {
    const { file } = request.params;
    const [, ending = ''] = LOGO_FILE.exec(file) ?? [];
    const type = TYPES[ending];
    const content = type === undefined ? null : await findLogo(core, file);
    if (type === undefined || content === null) {
      await limits.countCheckoutFailure(request);
      throw new KashboxError('not_found', { message: 'There is no such logo' });
    }
    return reply
      .type(type)
      .header('cache-control', CACHE_CONTROL)
      .header('content-security-policy', POLICY)
      .header('cross-origin-resource-policy', 'same-origin')
      .send(content);
  });
}
