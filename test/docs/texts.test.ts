/** docs/development/texts.md shows what the sources say, in both languages. */
import test from 'ava';
import { readPage } from '../helpers/browser/pages.js';
import { textsPage } from './texts-page.js';

test('the page of texts has every text; node dist/test/docs/texts-page.js --write renews it', (t) => {
  t.is(readPage('docs/development/texts.md'), textsPage());
});
