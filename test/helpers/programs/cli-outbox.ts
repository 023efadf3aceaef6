/** A home with notifications in it, for tests of the real command line. Sends nothing. */

import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { openCore } from '../../../src/actions/core/core.js';
import { cancelSession } from '../../../src/actions/sessions/cancel-session.js';
import { hostedOrder } from '../shop/hosted.js';
import { putAttempt } from '../shop/outbox.js';
import { openShop } from '../shop/shop.js';
import type { Cli } from './cli.js';

export const BRAND = 'Alo Store';
/** Where nothing listens: discard is not a web server. */
export const NOWHERE = 'http://127.0.0.1:9/hook';
export const PRIVATE = { KASHBOX_ALLOW_PRIVATE_WEBHOOKS: 'true' };

/** A shop with an address, and payments that were cancelled: the first was given up, the others are due. */
export async function openOutbox(kashbox: Cli, url = NOWHERE, payments = 3): Promise<void> {
  const core = await openCore({ folder: kashbox.home, env: PRIVATE });
  try {
    await openShop(core, BRAND);
    await updateBrand(core, { brand: BRAND, webhookUrl: url, who: 'test' });
    for (let n = 0; n < payments; n += 1) {
      await cancelSession(core, await hostedOrder(core, BRAND, 50_000));
    }
    const [dead] = await core.store.write((db) =>
      db.query
        .selectFrom('notifications')
        .orderBy('created_at')
        .orderBy('id')
        .limit(1)
        .select('id')
        .execute(),
    );
    const id = dead?.id ?? '';
    await core.store.write((db) =>
      db.query
        .updateTable('notifications')
        .set({ state: 'FAILED', tries: 10 })
        .where('id', '=', id)
        .execute(),
    );
    const detail = 'answered 500, 200 is required; \u001b[31mred\u001b[0m';
    await putAttempt(core, { id: 'att_1', of: id, at: core.clock.now(), detail });
  } finally {
    await core.close();
  }
}
