/** HTML in which every value is escaped: names are what strangers have typed. Pure: values in, text out. */
import { visible } from '../../base/values/cells.js';

/** Text that is HTML already. A class, because nothing that is read from a store can be an instance of it. */
export class Html {
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

/** Attributes stand in double quotes, and no value stands in a script or style. */
export function html(parts: TemplateStringsArray, ...values: readonly Value[]): Html {
  return new Html(parts.map((part, at) => part + textOf(values[at] ?? '')).join(''));
}
