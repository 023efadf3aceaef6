/**
 * Field map of an acquirer: the place of each value in its pushes, checked when the map is set. Does not know
 * bodies; push-body.ts parses them by the map.
 */

/** Fields are dotted paths: `data.amount`, `items.0.ref`. Those that are null are not read. */
export interface PushMap {
  /** The bank's own id of the payment, which it gives out once. */
  readonly reference: string;
  readonly amount: string;
  readonly amount_unit: 'taka' | 'paisa';
  readonly payer: string | null;
  readonly paid_at: string | null;
  /** See `isTimeFormat`. */
  readonly time_format: string;
  /** Offset of times without one. */
  readonly time_zone: string;
  /** Null for an acquirer that reports nothing but payments that were made. */
  readonly status: string | null;
  /** Statuses of a payment that was made; any other status means that it was not. */
  readonly success: readonly string[];
  /** The reference that stood in the QR code (object 62.05). */
  readonly bill: string | null;
  /** The merchant id that was paid. */
  readonly merchant: string | null;
  /** Null for an acquirer that names none: taka. */
  readonly currency: string | null;
}

/** Map of an acquirer that sends pushes in Kashbox's own format. */
export const CANONICAL_MAP: PushMap = {
  reference: 'reference',
  amount: 'amount',
  amount_unit: 'taka',
  payer: 'payer',
  paid_at: 'paid_at',
  time_format: 'iso',
  time_zone: '+06:00',
  status: 'status',
  success: ['SUCCESS'],
  bill: 'bill',
  merchant: 'merchant',
  currency: 'currency',
};

/** Defaults of fields that a map does not name. */
const NOTHING_NAMED: PushMap = {
  ...CANONICAL_MAP,
  payer: null,
  paid_at: null,
  status: null,
  success: [],
  bill: null,
  merchant: null,
  currency: null,
};

type ReadPushMap =
  | { readonly ok: true; readonly map: PushMap }
  /** Sentences for the operator who entered the map, at least one: all faults at once. */
  | { readonly ok: false; readonly faults: readonly string[] };

const NEEDED_PATHS = ['reference', 'amount'] as const;
const OPTIONAL_PATHS = ['payer', 'paid_at', 'status', 'bill', 'merchant', 'currency'] as const;
const PATHS: readonly string[] = [...NEEDED_PATHS, ...OPTIONAL_PATHS];
const NAMES = Object.keys(CANONICAL_MAP);

const MAX_TEXT = 100;
const MAX_STATUSES = 20;
const PATH = /^[^.\s]+(?:\.[^.\s]+){0,9}$/;

/**
 * @param given parsed JSON. Of a map that is given only what it names is read: a field that happens to have
 * our name for something else would otherwise be taken for it.
 */
export function parsePushMap(given: unknown): ReadPushMap {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) {
    return { ok: false, faults: ['The map must be a JSON object'] };
  }
  const fields = new Map<string, unknown>(Object.entries(given));
  const faults = [...nameFaults(fields), ...pathFaults(fields), ...ruleFaults(fields)];
  if (faults.length > 0) return { ok: false, faults };
  const said = [...fields].filter(([, value]) => value !== null);
  return { ok: true, map: { ...NOTHING_NAMED, ...(Object.fromEntries(said) as Partial<PushMap>) } };
}

type Fields = ReadonlyMap<string, unknown>;

function nameFaults(fields: Fields): string[] {
  const unknown = [...fields.keys()].filter((name) => !NAMES.includes(name));
  const missing = NEEDED_PATHS.filter((name) => !fields.has(name));
  return [
    ...unknown.map((name) => `${name.slice(0, MAX_TEXT)} is unknown; there are ${NAMES.join(', ')}`),
    ...missing.map((name) => `${name} is missing: name the field that has it`),
  ];
}

function pathFaults(fields: Fields): string[] {
  return PATHS.filter((name) => fields.has(name) && !isPath(fields.get(name))).map(
    (name) => `${name} must be the name of a field, or names with dots between them, as in data.amount`,
  );
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_TEXT && PATH.test(value);
}

function ruleFaults(fields: Fields): string[] {
  const faults: string[] = [];
  const unit = fields.get('amount_unit') ?? 'taka';
  if (unit !== 'taka' && unit !== 'paisa') faults.push('amount_unit must be taka or paisa');
  const format = fields.get('time_format') ?? 'iso';
  if (typeof format !== 'string' || !isTimeFormat(format)) {
    faults.push('time_format must be iso, unix, unix_ms or like DD/MM/YYYY HH:mm:ss');
  }
  const zone = fields.get('time_zone') ?? '+06:00';
  if (typeof zone !== 'string' || !isTimeZone(zone)) faults.push('time_zone must be like +06:00');
  if (fields.has('success') && !areStatuses(fields.get('success'))) {
    faults.push(`success must be a list of 1 to ${MAX_STATUSES} statuses, each a text`);
  }
  if (fields.has('status') !== fields.has('success')) {
    faults.push('status and success belong together: the field, and its values for a payment that was made');
  }
  return faults;
}

function areStatuses(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0 || value.length > MAX_STATUSES) return false;
  return value.every((item) => typeof item === 'string' && item.trim() !== '' && item.length <= MAX_TEXT);
}

/** Parts of a written time, each as many digits as it has letters. */
const TOKEN = /YYYY|MM|DD|HH|mm|ss/g;
const NEEDED = ['YYYY', 'MM', 'DD', 'HH', 'mm'];
const MAX_FORMAT = 40;

const ISO = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:?\d{2})?$/;
const ZONE = /^([+-])(\d{2}):(\d{2})$/;

/** True for `iso`, `unix`, `unix_ms`, or a pattern of `YYYY MM DD HH mm ss` with separators. */
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
 * @param zone offset of times without one.
 * @returns milliseconds since the epoch, or null if the text is not a valid time of this format.
 */
export function parseTime(text: string, format: string, zone: string): number | null {
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

/** Rejects 31 February instead of moving it into March. An offset of `Z` has no sign and counts as zero. */
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
