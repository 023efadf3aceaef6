/**
 * Renders a report as a single HTML page with inline style and charts, without scripts or external requests.
 * Pure: rows in, text out; contains no code for a specific report.
 */
import { visible } from '../../base/values/cells.js';
import type { Column } from '../text/table.js';

interface ReportPage<Row> {
  readonly title: string;
  /** Names of the shops in the report. */
  readonly of: string;
  readonly span: string;
  /** Creation time and version of the program. */
  readonly made: string;
  readonly chart: { readonly kind: ChartKind; readonly title: string; readonly bars: readonly Bar[] };
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Sentences above the table. */
  readonly notes: readonly string[];
  /** Text shown if there are no rows. */
  readonly empty: string;
}

/** A date, a time or a number of a wallet is not broken into lines. */
const SHORT = 20;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

export function reportPage<Row>(page: ReportPage<Row>): string {
  const { title, of, span, made, rows, notes, empty } = page;
  const { kind, title: about, bars } = page.chart;
  const said = notes.map((note) => html`<p>${note}</p>`);
  const body = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}, ${of}, ${span}</title>
<style>${new Html(REPORT_STYLE)}</style>
</head>
<body>
<main>
<h1>${title}</h1>
<p>${of}</p>
<p>${span}</p>
<p class="made">${made}</p>
${said.length === 0 ? html`` : html`<div class="notes">${said}</div>`}
${rows.length === 0 ? html`<p>${empty}</p>` : html`${chart(kind, about, bars)}${table(title, page)}`}
</main>
</body>
</html>
`;
  return body.text;
}

function table<Row>(title: string, { columns, rows }: ReportPage<Row>): Html {
  const align = (column: Column<Row>) => (column.align === 'right' ? 'amount' : 'text');
  const heads = columns.map((column) => html`<th scope="col" class="${align(column)}">${column.head}</th>`);
  const lines = rows.map((row) => {
    const cells = columns.map((column) => {
      const text = column.text(row);
      return html`<td class="${align(column)}${text.length > SHORT ? '' : ' short'}">${text}</td>`;
    });
    return html`<tr>${cells}</tr>
`;
  });
  // Reached by keys, because on a phone it is moved sideways.
  return html`<div class="wide" role="region" aria-label="${title}" tabindex="0"><table>
<thead><tr>${heads}</tr></thead>
<tbody>
${lines}</tbody>
</table></div>`;
}

interface Bar {
  readonly label: string;
  readonly paisa: number;
  /** The amount as it is read. */
  readonly text: string;
}

/** Chart type: `columns` for days, side by side; `bars` for named items. */
export type ChartKind = 'columns' | 'bars';

const HEIGHT = 100;
/** Width of a column in tenths of its slot; the rest is the gap. */
const COLUMN = 7;
/** Any money at all is seen. */
const LEAST = 1;

const partOf = (paisa: number, most: number) =>
  paisa <= 0 ? 0 : Math.max(LEAST, Math.round((paisa / most) * HEIGHT));

export function chart(kind: ChartKind, title: string, bars: readonly Bar[]): Html {
  const most = Math.max(1, ...bars.map(({ paisa }) => paisa));
  const highest = bars.find(({ paisa }) => paisa === most);
  if (highest === undefined) return html``;
  return kind === 'columns' ? columns(title, bars, highest) : rows(title, bars, most);
}

function columns(title: string, bars: readonly Bar[], highest: Bar): Html {
  const width = bars.length * 10;
  const drawn = bars.map(({ label, paisa, text }, at) => {
    const height = partOf(paisa, highest.paisa);
    const x = at * 10 + (10 - COLUMN) / 2;
    return html`<rect x="${x}" y="${HEIGHT - height}" width="${COLUMN}" height="${height}"><title>${label}: ${text}</title></rect>`;
  });
  const about = `${title}: ${bars.length} days, most on ${highest.label} with ${highest.text}`;
  return html`<figure class="columns">
<figcaption>${title}</figcaption>
<p class="most">${highest.text} on ${highest.label}</p>
<svg viewBox="0 0 ${width} ${HEIGHT}" preserveAspectRatio="none" role="img" aria-label="${about}">
<line x1="0" x2="${width}" y1="0" y2="0"/><line x1="0" x2="${width}" y1="50" y2="50"/><line x1="0" x2="${width}" y1="100" y2="100"/>
${drawn}
</svg>
<p class="ends"><span>${bars[0]?.label ?? ''}</span><span>${bars.at(-1)?.label ?? ''}</span></p>
</figure>`;
}

function rows(title: string, bars: readonly Bar[], most: number): Html {
  const drawn = bars.map(
    ({ label, paisa, text }) => html`<li><span>${label}</span><span class="amount">${text}</span>
<svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true"><rect class="rail" width="100" height="10"/><rect width="${partOf(paisa, most)}" height="10"/></svg></li>`,
  );
  return html`<figure class="bars"><figcaption>${title}</figcaption><ul>${drawn}</ul></figure>`;
}

/** Text that is HTML already. A class, because nothing that is read from a store can be an instance of it. */
class Html {
  constructor(readonly text: string) {}
}

type Value = string | number | Html | readonly Html[];

const SIGNS: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function textOf(value: Value): string {
  if (value instanceof Html) return value.text;
  if (typeof value === 'object') return value.map(({ text }) => text).join('');
  return visible(String(value)).replace(/[&<>"']/g, (sign) => SIGNS[sign] ?? sign);
}

/** Escapes values for HTML. Templates put attributes in double quotes, no value into a script or style. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, at) => part + textOf(values[at] ?? '')).join(''));
}

/** Names may be Bangla, and no font is fetched: those that systems have come first. */
const FONTS = `system-ui, "Noto Sans", "Noto Sans Bengali", "Nirmala UI", "Kohinoor Bangla", Vrinda, sans-serif`;

const REPORT_STYLE = `
:root { color-scheme: light dark; --ground: #fff; --ink: #1b1f24; --soft: #57606a; --line: #d5dae0;
  --band: #f5f7f9; --bar: #1a6f4b; }
@media (prefers-color-scheme: dark) { :root { --ground: #14181d; --ink: #e8ebee; --soft: #a5afba;
  --line: #353c45; --band: #1b2026; --bar: #58b98a; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 1rem/1.5 ${FONTS}; }
main { max-width: 1100px; margin: 0 auto; padding: 24px 16px 48px; }
h1 { margin: 0; font-size: 1.6rem; line-height: 1.25; overflow-wrap: anywhere; }
p { margin: 4px 0; overflow-wrap: anywhere; }
.made, .most, .ends { color: var(--soft); font-size: 0.875rem; }
.notes { margin: 20px 0; padding: 12px 16px; border-left: 4px solid var(--soft); background: var(--band); }
figure { margin: 28px 0; }
figcaption { font-weight: 600; }
svg { display: block; width: 100%; }
rect { fill: var(--bar); }
.rail { fill: var(--band); }
line { stroke: var(--line); vector-effect: non-scaling-stroke; }
.columns svg { height: 160px; }
.ends { display: flex; justify-content: space-between; }
.bars ul { margin: 8px 0; padding: 0; list-style: none; }
.bars li { display: grid; grid-template-columns: 1fr auto; gap: 0 12px; margin: 8px 0; }
.bars li span { overflow-wrap: anywhere; }
.bars li svg { grid-column: 1 / -1; height: 10px; }
.wide { overflow-x: auto; }
table { width: 100%; border-collapse: collapse; font-size: 0.9375rem; }
th, td { padding: 6px 10px; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top; }
th { border-bottom-width: 2px; font-size: 0.8125rem; color: var(--soft); white-space: nowrap; }
tbody tr:nth-child(even) { background: var(--band); }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.short { white-space: nowrap; }
td.text { overflow-wrap: anywhere; min-width: 7em; }
@page { size: A4; margin: 14mm; }
@media print {
  :root { color-scheme: light; --ground: #fff; --ink: #000; --soft: #444; --line: #bbb; --band: #f3f3f3;
    --bar: #1a6f4b; font-size: 10pt; }
  body { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  .wide { overflow: visible; }
  table { font-size: 8pt; }
  th { font-size: 6.5pt; white-space: normal; }
  th, td { padding: 3px 4px; }
  td.text { min-width: 0; }
  thead { display: table-header-group; }
  tr, figure { break-inside: avoid; }
}
`;
