/** The style of a report's page: readable on a phone, by day and by night, and on A4. */

/** Names may be Bangla, and no font is fetched: those that systems have come first. */
const FONTS = `system-ui, "Noto Sans", "Noto Sans Bengali", "Nirmala UI", "Kohinoor Bangla", Vrinda, sans-serif`;

export const REPORT_STYLE = `
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
