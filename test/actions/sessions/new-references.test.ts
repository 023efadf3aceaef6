/** A payment gets a reference that no other payment has while money could mean either. */
import test from 'ava';
import type { BrandContext } from '../../../src/actions/brands/brand-context.js';
import type { Core } from '../../../src/actions/core/core.js';
import { createSession } from '../../../src/actions/sessions/create-session.js';
import { expireSessions } from '../../../src/actions/sessions/transition-session.js';
import { PAYMENT_REFERENCE, type RandomSource, systemRandom } from '../../../src/base/values/ids.js';
import { scene } from '../../helpers/shop/scene.js';
import { openShop, WALLET } from '../../helpers/shop/shop.js';
import { engines } from '../../helpers/stores/engines.js';

const HOUR = 3_600_000;

function openPayment(core: Core, brand: BrandContext, amountPaisa: number) {
  const customer = { cusName: 'Customer', cusEmail: '', metaJson: null };
  return createSession(core, { brand, hosted: null, amountPaisa, ...customer });
}

/** A source that draws one reference whenever a short one is drawn, which takes 13 bytes. */
function drawing(reference: string): RandomSource {
  const bytes = [...reference].map((sign) => '23456789CFHJKMNPRTWXY'.indexOf(sign));
  return (size) => (size === 13 ? Uint8Array.from([...bytes, ...Array(8).fill(0)]) : systemRandom(size));
}

for (const engine of engines) {
  test(`${engine}: a reference names one open payment of a merchant, and of a number that two merchants share`, async (t) => {
    const { clock, core, shop } = await scene(t, engine);
    const far = await openShop(core, 'Far Store', '01711000009');
    const near = await openShop(core, 'Near Store', WALLET);
    const draw = async ({ brand }: typeof shop, reference: string) =>
      (await openPayment({ ...core, random: drawing(reference) }, brand, 50_000)).paymentReference ?? '';
    t.is(await draw(shop, 'K7M4P'), 'K7M4P');
    t.is(await draw(far, 'K7M4P'), 'K7M4P');
    // Who is out of short ones gets longer ones.
    for (const one of [shop, near]) {
      const other = await draw(one, 'K7M4P');
      t.regex(other, PAYMENT_REFERENCE);
      t.is(other.length, 6);
    }
    clock.advance(2 * HOUR);
    await expireSessions(core);
    t.not(await draw(shop, 'K7M4P'), 'K7M4P');
    clock.advance(shop.brand.proofWindowHours * HOUR + 1);
    await expireSessions(core);
    t.is(await draw(shop, 'K7M4P'), 'K7M4P');
  });
}
