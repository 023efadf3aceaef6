/** Charts of amounts as SVG that fits any width: bars only, with their words beside them as text. */
import { type Html, html } from './markup.js';

export interface Bar {
  readonly label: string;
  readonly paisa: number;
  /** The amount as it is read. */
  readonly text: string;
}

/** `columns` for days, which stand beside each other; `bars` for things with names. */
export type ChartKind = 'columns' | 'bars';

const HEIGHT = 100;
/** Of ten a column takes so much; the rest is the gap. */
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
