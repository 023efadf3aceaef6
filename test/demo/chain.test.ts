/** What the demo's chain is made of. That it works is seen where the whole demo is played. */
import { readFileSync } from 'node:fs';
import test from 'ava';
import { anvilProgram, TOKEN_CODE } from '../../src/demo/chain.js';
import { temporaryFolder } from '../helpers/stores/engines.js';

test('the demo uses the token of the tests, whose source can be read', (t) => {
  const fixture = new URL('../../../test/fixtures/chain/contracts.json', import.meta.url);
  const { Token } = JSON.parse(readFileSync(fixture, 'utf8')) as { readonly Token: string };
  t.is(TOKEN_CODE, Token);
});

test('anvil is found where its package is installed, and nowhere else', async (t) => {
  t.regex(anvilProgram(new URL('../../../', import.meta.url).pathname) ?? '', /\/bin\/anvil$/);
  t.is(anvilProgram(await temporaryFolder(t)), null);
});
