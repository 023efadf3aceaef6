/** The ways in which banks write the time of a payment. Reads no clock. */

/** Parts of a written time, each as many digits as it has letters. */
const TOKEN = /YYYY|MM|DD|HH|mm|ss/g;
const NEEDED = ['YYYY', 'MM', 'DD', 'HH', 'mm'];
const MAX_FORMAT = 40;

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/;
const ZONE = /^([+-])(\d{2}):(\d{2})$/;

/** `iso`, `unix`, `unix_ms`, or a pattern of `YYYY MM DD HH mm ss` with what stands between them. */
export function isTimeFormat(format: string): boolean {
  if (format === 'iso' || format === 'unix' || format === 'unix_ms') return true;
  const tokens: readonly string[] = format.match(TOKEN) ?? [];
  const between = format.replace(TOKEN, '');
  return (
    format.length <= MAX_FORMAT &&
    /^[ T/:.,-]*$/.test(between) &&
    new Set(tokens).size === tokens.length &&
    NEEDED.every((token) => tokens.includes(token))
  );
}

/** A format of `isTimeFormat` for people. */
export function asText(format: string): string {
  switch (format) {
    case 'iso':
      return 'iso, as in 2026-08-21T12:30:00';
    case 'unix':
      return 'unix, seconds since 1970';
    case 'unix_ms':
      return 'unix_ms, milliseconds since 1970';
    default:
      return format;
  }
}

/** `+06:00`. */
export function isTimeZone(zone: string): boolean {
  const [, , hours, minutes] = ZONE.exec(zone) ?? [];
  return hours !== undefined && Number(hours) <= 14 && Number(minutes) < 60;
}

/**
 * @param format one that `isTimeFormat` allows.
 * @param zone of times that name none.
 * @returns milliseconds since the epoch, or null if the text is no such time.
 */
export function readTime(text: string, format: string, zone: string): number | null {
  switch (format) {
    case 'unix':
      return /^\d{9,11}$/.test(text) ? Number(text) * 1000 : null;
    case 'unix_ms':
      return /^\d{12,14}$/.test(text) ? Number(text) : null;
    case 'iso': {
      const [, date, time, offset] = ISO.exec(text) ?? [];
      if (date === undefined || time === undefined) return null;
      return instant(`${date}T${time.length === 5 ? `${time}:00` : time}`, offset ?? zone);
    }
    default: {
      const parts = partsOf(text, format);
      if (parts === null) return null;
      const part = (token: string) => parts.get(token) ?? '00';
      const date = `${part('YYYY')}-${part('MM')}-${part('DD')}`;
      return instant(`${date}T${part('HH')}:${part('mm')}:${part('ss')}`, zone);
    }
  }
}

/** 31 February is refused rather than moved into March. An offset of `Z` has no sign and is none. */
function instant(local: string, offset: string): number | null {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc) || !new Date(asUtc).toISOString().startsWith(local.slice(0, 19))) return null;
  const [, sign, hours = '00', minutes = '00'] = /^([+-])(\d{2}):?(\d{2})$/.exec(offset) ?? [];
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return asUtc - (sign === '-' ? -offsetMs : offsetMs);
}

function partsOf(text: string, format: string): Map<string, string> | null {
  const tokens = format.match(TOKEN) ?? [];
  const literal = format.replace(/[/.]/g, '\\$&');
  const pattern = literal.replace(TOKEN, (token) => `(\\d{${token.length}})`);
  const found = new RegExp(`^${pattern}$`).exec(text);
  return found === null ? null : new Map(tokens.map((token, index) => [token, found[index + 1] ?? '']));
}
