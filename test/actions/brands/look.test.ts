/** By what customers know a brand: website, colour and logo. */
import test from 'ava';
import { findPicture, logoFacts, parseWebsite } from '../../../src/actions/brands/brand-theme.js';
import { findBrandInFull } from '../../../src/actions/brands/brand-view.js';
import { createBrand, updateBrand } from '../../../src/actions/brands/change-brand.js';
import type { Core } from '../../../src/actions/core/core.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { jpegLogo, pngLogo, webpLogo } from '../../helpers/shop/logos.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';

const who = 'test';
const brand = 'Alo';

async function fileOf(core: Core, name = brand): Promise<string> {
  const query = (db: Parameters<Parameters<Core['store']['read']>[0]>[0]) =>
    db.query.selectFrom('brands').where('name', '=', name).select('logo').executeTakeFirstOrThrow();
  return logoFacts(await core.store.read(query))?.file ?? '';
}

const picturesIn = (core: Core) =>
  core.store.read((db) => db.query.selectFrom('pictures').select(['brand_id', 'place', 'file']).execute());

for (const engine of enginesOfTier) {
  test(`${engine}: a brand has a look, parts of it change alone, and empty texts take it away`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: brand, allowIps: [], who });
    t.like(await findBrandInFull(core, brand), { website: null, colour: null, logo: null });
    const given = { website: 'https://Alo.example/x', colour: '0A7', logo: pngLogo(64, 32) };
    const set = await updateBrand(core, { brand, ...given, who });
    const logo = { type: 'png', width: 64, height: 32, bytes: pngLogo(64, 32).length };
    t.like(set, { website: 'alo.example', colour: '#00aa77', logo });
    t.like(await findBrandInFull(core, brand), { website: 'alo.example', colour: '#00aa77', logo });
    t.deepEqual(await findPicture(core, await fileOf(core)), pngLogo(64, 32));

    const first = await fileOf(core);
    t.like(await updateBrand(core, { brand, logo: webpLogo(), who }), { colour: '#00aa77' });
    t.is(await findPicture(core, first), null, 'the old address leads nowhere');
    t.deepEqual(await findPicture(core, await fileOf(core)), webpLogo());
    t.is((await picturesIn(core)).length, 1);

    const bare = await updateBrand(core, { brand, website: '', colour: ' ', logo: null, who });
    t.like(bare, { website: null, colour: null, logo: null });
    t.deepEqual(await picturesIn(core), []);
  });

  test(`${engine}: two brands may have the same logo, and one that goes leaves the other's`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: brand, allowIps: [], who });
    const logo = jpegLogo();
    await createBrand(core, { merchant: brand, name: 'Eid', logo, colour: '#0a7', who });
    await updateBrand(core, { brand, logo, who });
    const file = await fileOf(core);
    t.is(await fileOf(core, 'Eid'), file);
    t.is((await picturesIn(core)).length, 2);
    await updateBrand(core, { brand, logo: null, who });
    t.deepEqual(await findPicture(core, file), logo);
  });

  test(`${engine}: each channel has a mark of its own, which is replaced and removed alone`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: brand, allowIps: [], who });
    t.deepEqual((await findBrandInFull(core, brand)).marks, {});
    const both = new Map([['bank', jpegLogo()] as const, ['mfs_a', pngLogo()] as const]);
    const set = await updateBrand(core, { brand, logo: webpLogo(), marks: both, who });
    t.deepEqual(Object.keys(set.marks), ['mfs_a', 'bank'], 'in the order of the channels');
    t.deepEqual(set.marks.mfs_a, { type: 'png', width: 64, height: 64, bytes: pngLogo().length });
    const placesIn = async () => (await picturesIn(core)).map(({ place }) => place).sort();
    t.deepEqual(await placesIn(), ['bank', 'logo', 'mfs_a']);

    const other = pngLogo(128, 128);
    const changed = await updateBrand(core, { brand, marks: new Map([['mfs_a', other]]), who });
    t.like(changed.marks, { mfs_a: { width: 128 }, bank: { type: 'jpg' } });
    const files = (await picturesIn(core)).map(({ file }) => findPicture(core, file));
    t.true((await Promise.all(files)).some((bytes) => bytes?.equals(other)));

    const fewer = await updateBrand(core, { brand, logo: null, marks: new Map([['bank', null]]), who });
    t.deepEqual(Object.keys(fewer.marks), ['mfs_a']);
    t.deepEqual(await placesIn(), ['mfs_a']);
    const bare = await updateBrand(core, {
      brand,
      marks: new Map([
        ['mfs_a', null],
        ['mfs_b', null],
      ]),
      who,
    });
    t.deepEqual([bare.marks, await placesIn()], [{}, []]);
  });

  test(`${engine}: questions replace those before, and empty texts remove them and the video`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: brand, allowIps: [], who });
    const questions = ['How do I pay?=Open the app: a=b.', 'কতক্ষণ লাগে? = এক মিনিট।'];
    const set = await updateBrand(core, { brand, questions, video: 'https://video.example/পথ', who });
    t.deepEqual(set.questions, [
      { question: 'How do I pay?', answer: 'Open the app: a=b.' },
      { question: 'কতক্ষণ লাগে?', answer: 'এক মিনিট।' },
    ]);
    t.is(set.video, 'https://video.example/%E0%A6%AA%E0%A6%A5');
    const one = await updateBrand(core, { brand, questions: ['Why?=Because.'], who });
    t.deepEqual([one.questions.length, one.video], [1, set.video]);
    const none = await updateBrand(core, { brand, questions: [''], video: '', who });
    t.deepEqual([none.questions, none.video], [[], null]);
  });

  test(`${engine}: the audit records changes without the picture, and ignores identical updates`, async (t) => {
    const core = await openTestCore(t, engine);
    await createMerchant(core, { name: brand, allowIps: [], who });
    await updateBrand(core, { brand, logo: pngLogo(), who });
    await updateBrand(core, { brand, logo: pngLogo(), who });
    const rows = await core.store.read((db) =>
      db.query.selectFrom('audit').where('action', '=', 'brand.update').select(['before', 'after']).execute(),
    );
    t.is(rows.length, 1);
    t.deepEqual(JSON.parse(rows[0]?.before ?? ''), { logo: null });
    const { logo } = JSON.parse(rows[0]?.after ?? '') as { logo: string };
    t.like(JSON.parse(logo), { file: await fileOf(core), width: 64, height: 64 });
  });
}

test('a rejected value changes nothing and names the remedy', async (t) => {
  const core = await openTestCore(t, 'sqlite');
  await createMerchant(core, { name: brand, allowIps: [], who });
  const refused = [
    [{ logo: Buffer.from('<svg onload="x"') }, /^logo is not a PNG, JPEG or WebP/],
    [{ logo: Buffer.alloc(0) }, /^logo is not a PNG, JPEG or WebP/],
    [{ colour: 'green' }, /^colour "green" is not a colour/],
    [{ marks: new Map([['mfs_a', pngLogo(16, 16)] as const]) }, /^mark of mfs_a has 16 x 16 pixels/],
    [{ questions: ['a=b', 'a=b', 'a=b', 'a=b'] }, /^question may be given at most 3 times, not 4/],
    [{ questions: ['a=b', ''] }, /^question "" needs both a question and an answer/],
    [{ video: 'http://video.example' }, /^video must be an https address/],
    [{ website: 'http://alo.example' }, /^website must be the https address/],
  ] as const;
  for (const [given, message] of refused) {
    const error = await t.throwsAsync(updateBrand(core, { brand, website: 'b.example', ...given, who }));
    t.regex(error?.message ?? '', message);
    t.is((error as { code?: string }).code, 'invalid_input');
  }
  t.like(await findBrandInFull(core, brand), { website: null, colour: null, logo: null, video: null });
});

const domainOf = (typed: string) => {
  const read = parseWebsite(typed);
  return read.ok ? read.domain : null;
};

test('the domain of a website is taken from its address, or from itself', (t) => {
  t.is(domainOf('https://alo.example'), 'alo.example');
  t.is(domainOf('HTTPS://Alo.Example/shop?x=1#y'), 'alo.example');
  t.is(domainOf('alo.example'), 'alo.example');
  t.is(domainOf('www.alo.com.bd/'), 'www.alo.com.bd');
});

test('other letters are shown in their ASCII form, so that none is taken for another', (t) => {
  t.is(domainOf('https://আলো.বাংলা'), 'xn--94b2g5c.xn--54b7fta0cc');
  t.is(domainOf('https://аlo.example'), 'xn--lo-6kc.example', 'its first letter is Cyrillic');
});

test('rejects anything but an https website with a domain name', (t) => {
  for (const typed of [
    'http://alo.example',
    'ftp://alo.example',
    'https://alo.example:8443',
    'https://alo.example@evil.example',
    'https://user:pw@evil.example',
    'https:\\\\evil.example',
    'https:///evil.example',
    'https://127.0.0.1',
    'https://0x7f.1',
    'https://[::1]/',
    'localhost',
    'https://alo',
    'https://alo.example evil.example',
    'javascript:alert(1)',
    'https://<b>.example',
    '-alo.example',
    `https://${'a'.repeat(64)}.example`,
  ]) {
    t.is(domainOf(typed), null, typed);
  }
});
