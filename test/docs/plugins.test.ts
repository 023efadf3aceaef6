/** docs/plugins.md is what the table of shop programs says, and other pages lead to it. */
import test from 'ava';
import { PLUGIN_NAMES } from '../../src/domain/plugins/plugins.js';
import { readPage, tableRows } from '../helpers/browser/pages.js';
import { pluginsPage } from './plugins-page.js';

const page = readPage('docs/plugins.md');

test('the page matches the table; node dist/test/docs/plugins-page.js --write regenerates it', (t) => {
  t.is(page, pluginsPage());
});

test('every program has its row and its section', (t) => {
  const rows = tableRows(page);
  for (const name of PLUGIN_NAMES) {
    t.true(page.includes(`\n## ${name}\n`), name);
    t.is(rows.filter(([cell = '']) => cell.startsWith(`[\`${name}\`](#`)).length, 1, name);
  }
});

test('the README, the API, the webhooks and the configuration lead to the page', (t) => {
  for (const path of ['README.md', 'docs/api-hosted.md', 'docs/webhooks.md', 'docs/configuration.md']) {
    t.regex(readPage(path), /\]\((?:docs\/)?plugins\.md/, path);
  }
});
