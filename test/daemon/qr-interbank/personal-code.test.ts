/** A wallet account with the owner's Bangla QR: create names the code of the payment, and it is served. */
import test from 'ava';
import jsqr from 'jsqr';
import { PNG } from 'pngjs';
import { disableAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { BYTES, findValue, parseObjects } from '../../../src/channels/qr-interbank/emv.js';
import { personalPayload } from '../../helpers/shop/qr.js';
import { WALLET } from '../../helpers/shop/shop.js';
import { CREATE, openApi } from '../api.js';
import { getOpenApi, judgeOf } from '../reference/documented.js';

interface Created {
  readonly payment_reference: string;
  readonly methods: readonly { name: string; qr_image?: string; qr_payload?: string }[];
}

const objectsOf = (text: string) => {
  const read = parseObjects(text, BYTES);
  return read.ok ? read.objects : [];
};

test('the entry of the wallet has its code in addition to the numbers, and a phone reads it', async (t) => {
  const api = await openApi(t);
  const { core, shop } = api;
  const wallet = { brand: shop.brand.name, channel: 'mfs_a', type: 'personal', number: WALLET, who: 'test' };
  const qr = personalPayload(WALLET, 'রহিম উদ্দিন');
  const account = await setAccount(core, { ...wallet, details: { qr } });
  const create = async () => {
    const answered = await api.call(CREATE, { body: { cus_name: 'Customer', amount: '1250.50' } });
    t.is(answered.statusCode, 200);
    const { payment_reference: reference, methods } = answered.json<Created>();
    return { answered, reference, entry: methods.find(({ name }) => name === 'mfs_a') };
  };
  const { answered, reference, entry } = await create();
  judgeOf(await getOpenApi(api)).holds(t, `POST ${CREATE}`, answered);
  t.like(entry, { name: 'mfs_a', personal: WALLET });
  const objects = objectsOf(entry?.qr_payload ?? '');
  t.is(findValue(objects, '01'), '12');
  t.is(findValue(objects, '54'), '1250.50');
  t.is(findValue(objects, '59'), 'রহিম উদ্দিন');
  t.is(findValue(objectsOf(findValue(objects, '62') ?? ''), '06'), reference);

  const path = new URL(entry?.qr_image ?? '').pathname;
  const get = (file: string) => api.callBare(file, { method: 'GET' });
  const png = PNG.sync.read((await get(path)).rawPayload);
  const seen = jsqr.default(new Uint8ClampedArray(png.data), png.width, png.height);
  t.is(seen?.data, entry?.qr_payload);
  t.is((await get(path.replace('.png', '.svg'))).headers['content-type'], 'image/svg+xml');

  const other = (await create()).entry;
  t.not(other?.qr_image, entry?.qr_image);
  await setAccount(core, { ...wallet, details: { qr: '' } });
  t.deepEqual(Object.keys((await create()).entry ?? {}), [
    ...['name', 'active_payments', 'personal', 'agent', 'payment'],
  ]);
  await disableAccount(core, { id: account.id, who: 'test' });
  t.is((await get(path)).statusCode, 200, 'who was shown it may still load it');
});
