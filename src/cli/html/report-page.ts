/**
 * A report as one page that asks nothing of anybody: its style and charts are in it, and it has no script.
 * Pure: rows in, text out; knows no report by name.
 */
import type { Column } from '../text/table.js';
import { type Bar, type ChartKind, chart } from './chart.js';
import { Html, html } from './markup.js';
import { REPORT_STYLE } from './report-style.js';

export interface ReportPage<Row> {
  readonly title: string;
  /** Whose: shops by their names. */
  readonly of: string;
  /** Which days. */
  readonly span: string;
  /** When it was made, and by what. */
  readonly made: string;
  readonly chart: { readonly kind: ChartKind; readonly title: string; readonly bars: readonly Bar[] };
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Sentences above the table. */
  readonly notes: readonly string[];
  /** Said where there are no rows. */
  readonly empty: string;
}

/** A date, a time or a number of a wallet is not broken into lines. */
const SHORT = 20;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:";

/** @returns the whole page. */
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
