/** Where a brand receives USDT: addresses on a chain, and accounts at an exchange with their credentials. */
import test from 'ava';
import { HDNodeWallet, Mnemonic } from 'ethers';
import { listAccounts } from '../../../src/actions/accounts/account-view.js';
import { accountAdvice, type SetAccount, setAccount } from '../../../src/actions/accounts/set-account.js';
import { setRate } from '../../../src/actions/brands/rates.js';
import type { Core } from '../../../src/actions/core/core.js';
import { sealPurpose } from '../../../src/actions/core/sealing.js';
import { createMerchant } from '../../../src/actions/merchants/change-merchant.js';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { codeOf, OPERATOR } from '../../helpers/shop/hosted.js';
import { enginesOfTier, openTestCore } from '../../helpers/stores/engines.js';
import { auditOf, everyRow } from '../../helpers/stores/rows.js';

const ADDRESS = '0x7Ab1E5c0DE5A1E5b07705e1F5A1E0ddbA11CA5e5';
const USDT = '0x55d398326f99059fF775485246999027B3197955';
const CHAIN = { brand: 'Alo', channel: 'bep20', number: ADDRESS, who: OPERATOR };
/** For rows that stand on the ground of an exchange account. */
const ADDRESS_ONLY = { ...CHAIN, credentials: undefined };
const KEY = 'vmPUZE6mv9SD5VNHk4HlWFsOr6aKE2zvsw0MuIgwCIPy6utIco14y7Ju91duEh8A';
const SECRET = 'NhqPtmdSJYdKjVHjA7PZj4Mge3R5YNiP1e3UZjInClVN65XAbvqqM6A7H5fATj0j';
const EXCHANGE = {
  brand: 'Alo',
  channel: 'exchange_pay',
  number: '34355667',
  credentials: { key: KEY, secret: SECRET },
  who: OPERATOR,
};

async function alo(core: Core): Promise<Core> {
  await createMerchant(core, { name: 'Alo', allowIps: [], who: OPERATOR });
  return core;
}

async function sealedOf(core: Core, id: string): Promise<string> {
  const row = await core.store.read((db) =>
    db.query.selectFrom('accounts').select('secret').where('id', '=', id).executeTakeFirstOrThrow(),
  );
  return row.secret ?? '';
}

const opened = async (core: Core, id: string): Promise<unknown> =>
  JSON.parse(core.secrets.open(await sealedOf(core, id), sealPurpose('exchange', id)));

for (const engine of enginesOfTier) {
  test(`${engine}: an address is kept with its checksum, the chain's name and the official token`, async (t) => {
    const core = await alo(await openTestCore(t, engine));
    const account = await setAccount(core, { ...CHAIN, number: ADDRESS.toLowerCase() });
    t.like(account, { type: 'transfer', number: ADDRESS });
    t.deepEqual(account.details, {
      network: 'BNB Smart Chain (BEP20)',
      chain_id: '56',
      token: USDT,
      decimals: '18',
    });
    t.is(
      (await setAccount(core, { ...CHAIN, number: `0x${ADDRESS.slice(2).toUpperCase()}` })).id,
      account.id,
    );
  });

  test(`${engine}: credentials are sealed for their account and appear in no list, row or audit`, async (t) => {
    const core = await alo(await openTestCore(t, engine));
    const account = await setAccount(core, EXCHANGE);
    t.like(account, { type: 'personal', number: '34355667' });
    t.deepEqual(account.details, {
      driver: 'binance-pay-history',
      base_url: 'https://api.binance.com',
      key: 'vmPUZE6…Eh8A',
    });
    t.deepEqual(await opened(core, account.id), { key: KEY, secret: SECRET });
    const said = JSON.stringify([account, await listAccounts(core, { disabledToo: true })]);
    for (const text of [said, await everyRow(core)]) {
      for (const secret of [KEY, SECRET, SECRET.slice(0, 7), SECRET.slice(-4)])
        t.false(text.includes(secret));
    }
  });
}

test('a detail of an address is kept while the chain is, and another chain has its own', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const set = (details: SetAccount['details']) => setAccount(core, { ...CHAIN, details });
  const { id } = await set({ network: 'BEP20 only!' });
  t.is((await set({})).details.network, 'BEP20 only!');
  const other = await set({ chain_id: '97', token: ADDRESS.toLowerCase() });
  t.deepEqual(other.details, {
    network: 'BNB Smart Chain Testnet (BEP20)',
    chain_id: '97',
    token: ADDRESS,
    decimals: '18',
  });
  t.is((await set({})).details.token, ADDRESS);
  t.is((await set({ chain_id: '56' })).details.token, USDT);
  t.is((await set({ token: USDT.toUpperCase().replace('0X', '0x') })).details.token, USDT);
  t.is((await set({ network: '' })).id, id);
});

test('the same user id keeps its credentials, new ones replace them, and the audit records it', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const { credentials: _credentials, ...plain } = EXCHANGE;
  const { id } = await setAccount(core, EXCHANGE);
  const first = await sealedOf(core, id);
  t.is((await setAccount(core, { ...plain, details: { driver: 'binance-pay-history' } })).id, id);
  t.is((await setAccount(core, EXCHANGE)).id, id);
  t.is(await sealedOf(core, id), first);
  t.is((await auditOf(core, id)).length, 1);
  const renewed = { key: KEY, secret: 'another-secret-0123456789' };
  t.is((await setAccount(core, { ...EXCHANGE, credentials: renewed })).id, id);
  t.deepEqual(await opened(core, id), renewed);
  const moved = await setAccount(core, { ...plain, details: { base_url: 'https://api1.binance.com/' } });
  t.like(moved.details, { base_url: 'https://api1.binance.com', key: 'vmPUZE6…Eh8A' });
  t.deepEqual(await opened(core, id), renewed);
  const audit = await auditOf(core, id);
  t.is(audit.length, 3);
  t.like(JSON.parse(audit[1]?.after ?? ''), { credentials: 'replaced' });
  t.is(JSON.parse(audit[2]?.after ?? '').credentials, undefined);
});

test('another user id needs credentials of its own, and so does another type', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const { credentials: _credentials, ...plain } = EXCHANGE;
  const first = await setAccount(core, EXCHANGE);
  t.is(await codeOf(setAccount(core, { ...plain, number: '99999999' })), 'invalid_input');
  t.is(await codeOf(setAccount(core, { ...plain, type: 'merchant' })), 'invalid_input');
  t.deepEqual(
    (await listAccounts(core, { disabledToo: false })).map(({ id }) => id),
    [first.id],
  );
  const second = await setAccount(core, { ...EXCHANGE, number: '99999999' });
  t.not(second.id, first.id);
  t.deepEqual(await opened(core, second.id), { key: KEY, secret: SECRET });
});

test('a merchant account is asked by the API for merchants, and changing the API changes its address', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const merchant = { ...EXCHANGE, type: 'merchant' };
  const own = { base_url: 'http://127.0.0.1:8080/pay/' };
  t.like((await setAccount(core, merchant)).details, {
    driver: 'binance-pay-merchant',
    base_url: 'https://bpay.binanceapi.com',
  });
  t.is((await setAccount(core, { ...merchant, details: own })).details.base_url, 'http://127.0.0.1:8080/pay');
  t.is((await setAccount(core, merchant)).details.base_url, 'http://127.0.0.1:8080/pay');
  const history = await setAccount(core, { ...merchant, details: { driver: 'binance-pay-history' } });
  t.is(history.details.base_url, 'https://api.binance.com');
});

test('credentials that no other key file can open are replaced by new ones', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const { id } = await setAccount(core, EXCHANGE);
  await core.store.write((db) =>
    db.query.updateTable('accounts').set({ secret: 'v1.AAAA' }).where('id', '=', id).execute(),
  );
  await setAccount(core, EXCHANGE);
  t.deepEqual(await opened(core, id), { key: KEY, secret: SECRET });
});

const wrong: [what: string, input: Partial<SetAccount>, says: RegExp][] = [
  ['no address', { ...ADDRESS_ONLY, number: undefined }, /^number is missing/],
  [
    'an address with a wrong letter',
    { ...ADDRESS_ONLY, number: ADDRESS.replace('7Ab1', '7aB1') },
    /checksum/,
  ],
  ['an address that is too short', { ...ADDRESS_ONLY, number: ADDRESS.slice(0, -1) }, /^number must be 0x/],
  ['the token as the address', { ...ADDRESS_ONLY, number: USDT }, /the token itself/],
  ['an address of another type', { ...ADDRESS_ONLY, type: 'personal' }, /^type "personal"/],
  [
    'a personal account by the API of merchants, which does not see it',
    { ...EXCHANGE, details: { driver: 'binance-pay-merchant' } },
    /^driver "binance-pay-merchant" cannot see payments to a user id/,
  ],
  ['an unknown chain', { ...ADDRESS_ONLY, details: { chain_id: '1' } }, /^chain "1"/],
  ['another token where money is real', { ...ADDRESS_ONLY, details: { token: ADDRESS } }, /is not USDT/],
  [
    'a token that is none',
    { ...ADDRESS_ONLY, details: { chain_id: '97', token: '0x1' } },
    /^token must be 0x/,
  ],
  ['a holder of an address', { ...ADDRESS_ONLY, details: { holder: 'Alo' } }, /^holder does not belong/],
  ['credentials of an address', { ...CHAIN, credentials: EXCHANGE.credentials }, /has no credentials/],
  ['a user id with letters', { number: 'alo' }, /^number "alo"/],
  ['no user id', { number: ' ' }, /^number is missing/],
  ['an unknown type', { type: 'agent' }, /^type "agent"/],
  ['an unknown driver', { details: { driver: 'okx' } }, /^driver "okx"/],
  ['plain http', { details: { base_url: 'http://api.example.com' } }, /^exchange-url/],
  ['a password in the address', { details: { base_url: 'https://a:b@api.example.com' } }, /^exchange-url/],
  ['a query in the address', { details: { base_url: 'https://api.example.com/?x=1' } }, /^exchange-url/],
  ['another protocol', { details: { base_url: 'file:///etc/passwd' } }, /^exchange-url/],
  ['no credentials', { credentials: undefined }, /missing/],
  ['a key with a line break', { credentials: { key: `${KEY}\nX-A: b`, secret: SECRET } }, /^the API key/],
  ['a short secret', { credentials: { key: KEY, secret: 'short' } }, /^the API secret/],
];
test('rejects invalid input by name and stores no account', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  for (const [what, input, says] of wrong) {
    const error = await t.throwsAsync(setAccount(core, { ...EXCHANGE, ...input }), undefined, what);
    t.true(isKashboxError(error, 'invalid_input'), what);
    t.regex(error?.message ?? '', says, what);
    for (const secret of [KEY, SECRET]) t.false(JSON.stringify(error).includes(secret), what);
  }
  t.deepEqual(await listAccounts(core, { disabledToo: true }), []);
});

test('it is said what is still missing before anybody can pay, and no more once it is there', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const address = await setAccount(core, CHAIN);
  const user = await setAccount(core, EXCHANGE);
  const wallet = { brand: 'Alo', channel: 'mfs_a', type: 'personal', number: '01711000001', who: OPERATOR };
  t.deepEqual(await accountAdvice(core, await setAccount(core, wallet)), []);
  const [rate, node] = await accountAdvice(core, address);
  t.regex(rate ?? '', /kashbox rates set/);
  t.regex(node ?? '', /kashbox nodes add --public --chain 56/);
  t.deepEqual(await accountAdvice(core, user), [rate]);
  await setRate(core, { brand: null, rate: '120.5', who: OPERATOR });
  t.deepEqual(await accountAdvice(core, user), []);
  t.deepEqual(await accountAdvice(core, address), [node]);
});

test('an address whose key is published takes no real money, and serves a test chain', async (t) => {
  const core = await alo(await openTestCore(t, 'sqlite'));
  const phrase = Mnemonic.fromPhrase(`${'test '.repeat(11)}junk`);
  for (let at = 0; at < 10; at += 1) {
    const { address } = HDNodeWallet.fromMnemonic(phrase, `m/44'/60'/0'/0/${at}`);
    for (const number of [address, address.toLowerCase()]) {
      const refused = await t.throwsAsync(setAccount(core, { ...CHAIN, number }));
      t.regex(refused?.message ?? '', /its private key is published for development/);
    }
    await setAccount(core, { ...CHAIN, number: address, details: { chain_id: '97' } });
    // The same number keeps its chain, unless another one is named.
    await t.throwsAsync(setAccount(core, { ...CHAIN, number: address, details: { chain_id: '56' } }));
  }
  t.is((await setAccount(core, CHAIN)).details.chain_id, '56');
});
