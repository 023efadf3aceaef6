/** What chats and social networks show of a link or a payment: tags in the page, and pictures. */
import test from 'ava';
import { PNG } from 'pngjs';
import { updateBrand } from '../../../src/actions/brands/change-brand.js';
import { updateLink } from '../../../src/actions/links/links.js';
import { jpegLogo, pngLogo, webpLogo } from '../../helpers/shop/logos.js';
import { openLinks } from './link-page.js';

const PUBLIC = 'https://pay.example.com';
const env = { KASHBOX_PUBLIC_URL: PUBLIC };

const metaOf = (html: string, name: string) =>
  new RegExp(`<meta (?:property|name)="${name}" content="(.*?)">`).exec(html)?.[1];

test('the preview of a link shows item and price, that of a payment only the name of the shop', async (t) => {
  const { browser, create, open } = await openLinks(t, { env });
  const { path } = await create({ title: 'Red sari' });
  const link = (await browser.visit(`${path}?lang=en`)).body;
  t.is(metaOf(link, 'og:title'), 'Red sari');
  for (const name of ['description', 'og:description'])
    t.is(metaOf(link, name), '৳ 500 · Red sari · Alo Store');
  t.is(metaOf(link, 'og:url'), `${PUBLIC}${path}`);
  t.is(metaOf(link, 'og:locale'), 'en_US');
  t.is(metaOf(link, 'og:image'), `${PUBLIC}${path}/card.png?lang=en`);
  t.is(metaOf(link, 'og:image:width'), '1200');
  t.is(metaOf(link, 'og:image:height'), '630');
  t.is(metaOf(link, 'og:image:alt'), 'Red sari');
  t.is(metaOf(link, 'twitter:card'), 'summary_large_image');
  const page = await open();
  const payment = (await browser.visit(`${page}?lang=en`)).body;
  t.is(metaOf(payment, 'og:title'), 'Payment to Alo Store');
  t.is(metaOf(payment, 'og:site_name'), 'Alo Store');
  t.is(metaOf(payment, 'og:image'), `${PUBLIC}${page}/card.png?lang=en`);
  t.notRegex(metaOf(payment, 'og:description') ?? '', /500|Customer/);
});

test('a daemon that does not know its public address names no picture', async (t) => {
  const { browser, create } = await openLinks(t);
  const { path } = await create({ title: 'Red sari' });
  const link = (await browser.visit(path)).body;
  t.is(metaOf(link, 'og:title'), 'Red sari');
  for (const name of ['og:image', 'og:url', 'twitter:card']) t.is(metaOf(link, name), undefined, name);
});

test('the picture of a link is its preview and is on its page', async (t) => {
  const { browser, core, create } = await openLinks(t, { env });
  const image = jpegLogo(600, 400);
  const { path, id } = await create({ title: 'Red sari', image, description: 'Handwoven\n5.5 <metres>' });
  const html = (await browser.visit(path)).body;
  const [, file = ''] =
    /<img src="(\/api\/picture\/[0-9a-f]{32}\.jpg)" alt="Red sari" width="600"/.exec(html) ?? [];
  t.is(metaOf(html, 'og:image'), `${PUBLIC}${file}`);
  t.is(metaOf(html, 'og:image:width'), '600');
  t.true(html.includes('Handwoven\n5.5 &lt;metres&gt;'));
  const picture = await browser.visit(file);
  t.is(picture.headers['content-type'], 'image/jpeg');
  t.is(picture.headers['cache-control'], 'public, max-age=31536000, immutable');
  t.true(picture.rawPayload.equals(image));
  await updateLink(core, { link: id, image: null, base: PUBLIC, who: 'test' });
  t.is((await browser.visit(file)).statusCode, 404);
  t.regex(metaOf((await browser.visit(path)).body, 'og:image') ?? '', /card\.png/);
});

test('a card is a PNG for each language, and of a payment the same whatever it costs', async (t) => {
  const { browser, create, open } = await openLinks(t);
  const { path } = await create({ title: 'জামদানি শাড়ি' });
  const cards = [];
  for (const lang of ['bn', 'en']) {
    const { statusCode, headers, rawPayload } = await browser.visit(`${path}/card.png?lang=${lang}`);
    t.is(statusCode, 200);
    t.is(headers['content-type'], 'image/png');
    t.is(headers['cache-control'], 'public, max-age=3600');
    const { width, height } = PNG.sync.read(rawPayload);
    t.deepEqual([width, height], [1_200, 630]);
    cards.push(rawPayload.toString('base64'));
  }
  t.not(cards[0], cards[1]);
  const payments = [];
  for (const paisa of [50_000, 70_000]) {
    const page = await open({ paisa });
    payments.push((await browser.visit(`${page}/card.png?lang=en`)).rawPayload.toString('base64'));
  }
  t.is(payments[0], payments[1]);
});

test('a card of what does not exist is the same notice as its page, and many are limited', async (t) => {
  const { browser, create } = await openLinks(t, {
    env: { KASHBOX_CHECKOUT_FAILURES_PER_MINUTE: '3', KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE: '5' },
  });
  const { path } = await create();
  const page = await browser.visit(`/pay/${'2'.repeat(12)}?lang=en`);
  const card = await browser.visit(`/pay/${'2'.repeat(12)}/card.png?lang=en`);
  t.deepEqual([card.statusCode, card.body], [404, page.body]);
  t.is((await browser.visit(`/api/execute/${'0'.repeat(32)}/card.png`)).statusCode, 404);
  t.is((await browser.visit(`/pay/${'3'.repeat(12)}/card.png`)).statusCode, 429);
  const codes = [];
  for (let n = 0; n < 6; n += 1) codes.push((await browser.visit(`${path}/card.png`)).statusCode);
  t.deepEqual([codes[0], codes.at(-1)], [200, 429]);
});

test('a card shows a logo as PNG or JPEG, and the first letter of a shop whose logo is a WebP', async (t) => {
  const { browser, core, create, shop } = await openLinks(t);
  const { path } = await create();
  const cardWith = async (logo: Buffer | null) => {
    await updateBrand(core, { brand: shop.brand.name, logo, who: 'test' });
    return (await browser.visit(`${path}/card.png?lang=en`)).rawPayload.toString('base64');
  };
  const plain = await cardWith(null);
  t.not(await cardWith(pngLogo()), plain);
  t.not(await cardWith(jpegLogo()), plain);
  t.is(await cardWith(webpLogo()), plain);
});
