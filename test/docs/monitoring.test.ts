/** The rules and the board for Prometheus and Grafana ask for figures that a daemon really has. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import test from 'ava';
import { CREATE, openApi } from '../daemon/api.js';

const read = (name: string) =>
  readFileSync(fileURLToPath(new URL(`../../../docs/monitoring/${name}`, import.meta.url)), 'utf8');
/** Expressions stand in other texts too: the names of metrics are what all have in common. */
const named = (text: string) => [
  ...new Set(text.match(/\b(?:kashbox|process|nodejs)_[a-z0-9_]+(?=[\s{)[])/g) ?? []),
];

/** Names of series and, for each label of ours, the values that a scrape had. */
async function scraped(t: Parameters<typeof openApi>[0]) {
  const api = await openApi(t);
  await api.call(CREATE, { body: { cus_name: 'A', amount: '10' } });
  const { body } = await api.callBare('/metrics', { method: 'GET' });
  const lines = body.split('\n').filter((line) => !line.startsWith('#') && line !== '');
  return { names: new Set(lines.map((line) => line.split(/[{ ]/)[0] ?? '')), help: body };
}

for (const [file, least] of [
  ['kashbox.rules.yml', 12],
  ['grafana.json', 18],
] as const) {
  test(`every metric of ${file} is exported by a daemon`, async (t) => {
    const { names, help } = await scraped(t);
    const wanted = named(read(file));
    t.true(wanted.length >= least, `${wanted.length} names were found`);
    // What has happened to nobody yet has a help text and no series.
    const missing = wanted.filter((name) => !names.has(name) && !help.includes(`# TYPE ${name} `));
    t.deepEqual(missing, []);
  });
}

test('the board is JSON whose panels lie side by side, each with a question', (t) => {
  const { panels } = JSON.parse(read('grafana.json')) as {
    readonly panels: readonly {
      readonly type: string;
      readonly title: string;
      readonly targets?: readonly { readonly expr: string }[];
      readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
    }[];
  };
  const taken = new Set<string>();
  for (const { type, title, targets = [], gridPos } of panels) {
    t.true(type === 'row' || targets.length > 0, title);
    t.true(
      targets.every(({ expr }) => expr !== ''),
      title,
    );
    for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1)
      for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
        t.false(taken.has(`${x} ${y}`), title);
        taken.add(`${x} ${y}`);
      }
  }
});

test('every alert says what to do', (t) => {
  const alerts = read('kashbox.rules.yml').split('- alert: ').slice(1);
  t.true(alerts.length > 10);
  for (const alert of alerts) {
    t.regex(alert, /severity: (critical|warning|info)/);
    t.regex(alert, /summary: "[^"]+"\n\s+description: ".+"/);
  }
});
