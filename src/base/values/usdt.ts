/**
 * USDT as integers, never floats: amounts of a chain or an exchange in base units of 10^-18, quotes and rates
 * in steps of 10^-4, which fit into a safe integer.
 */

/** Integer number of steps of 0.0001: 4.1667 USDT is 41667, a rate of 120.50 BDT is 1205000. */
export type TenThousandths = number;

/** Decimals of one USDT in base units. */
export const UNIT_DECIMALS = 18;
const STEP_DECIMALS = 4;
/** Base units in one step of 0.0001. */
const UNITS_PER_STEP = 10n ** BigInt(UNIT_DECIMALS - STEP_DECIMALS);

// ASCII digits only: no sign, exponent, grouping, spaces or other scripts' digits.
const DECIMAL = /^(\d{1,30})(?:\.(\d{1,40}))?$/;

/** Parses text such as `1.2` into base units. @returns null if it is not valid or has more decimals. */
export function parseUsdt(text: string): bigint | null {
  return parseDecimal(text, UNIT_DECIMALS);
}

/** Parses `120.5` into steps of 0.0001. @returns null if invalid, too large or with more decimals. */
export function parseSteps(text: string): TenThousandths | null {
  const steps = parseDecimal(text, STEP_DECIMALS);
  return steps === null || steps > BigInt(Number.MAX_SAFE_INTEGER) ? null : Number(steps);
}

function parseDecimal(text: string, decimals: number): bigint | null {
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const [, whole = '', fraction = ''] = match;
  const kept = fraction.replace(/0+$/, '');
  return kept.length > decimals ? null : BigInt(whole + kept.padEnd(decimals, '0'));
}

/** 41667 → 4.1667 USDT in base units. */
export function toBaseUnits(steps: TenThousandths): bigint {
  return BigInt(steps) * UNITS_PER_STEP;
}

/** @returns null if the amount is not an integer number of steps, or is too large. */
export function toSteps(units: bigint): TenThousandths | null {
  const steps = units / UNITS_PER_STEP;
  return units % UNITS_PER_STEP === 0n && steps <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(steps) : null;
}

/** 41667 → "4.1667", 1205000 → "120.5". */
export function formatSteps(steps: TenThousandths): string {
  return formatDecimal(BigInt(steps), STEP_DECIMALS);
}

/** Base units as decimal text, without needless zeros: 1200000000000000000 → "1.2". */
export function formatUsdt(units: bigint): string {
  return formatDecimal(units, UNIT_DECIMALS);
}

function formatDecimal(value: bigint, decimals: number): string {
  const digits = String(value).padStart(decimals + 1, '0');
  const fraction = digits.slice(-decimals).replace(/0+$/, '');
  return `${digits.slice(0, -decimals)}${fraction === '' ? '' : `.${fraction}`}`;
}
