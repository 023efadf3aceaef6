/**
 * Order lines of a payment, as the shop sends them at create: shown to the customer, and returned to the shop
 * in notifications. They decide nothing: the amount is what the customer pays. Pure.
 */
import { asRecord } from '../../base/values/fields.js';
import { formatTaka, type Paisa, type ParsedAmount, parseFloatTaka } from '../../base/values/money.js';
import type { ParseResult } from '../../base/values/parse-result.js';
import { MAX_SESSION_PAISA } from './session.js';

export interface OrderItem {
  readonly name: string;
  /** 1 to 9,999 pieces. */
  readonly quantity: number;
  /** Price of one piece; negative for a discount. */
  readonly pricePaisa: Paisa;
}

export const MAX_ITEMS = 50;
export const MAX_ITEM_NAME = 120;
export const MAX_QUANTITY = 9_999;

/** @param value a list of lines whose numbers are decimal texts; `quantity` is 1 if it is absent. */
export function parseItems(value: unknown): ParseResult<{ items: readonly OrderItem[] }> {
  if (!Array.isArray(value)) {
    const example = '[{"name":"Shirt","quantity":2,"price":"250.00"}]';
    return { ok: false, fault: `items must be a list of order lines, such as ${example}` };
  }
  if (value.length > MAX_ITEMS) {
    return { ok: false, fault: `items may have at most ${MAX_ITEMS} lines, this has ${value.length}` };
  }
  const items: OrderItem[] = [];
  for (const [index, line] of value.entries()) {
    const item = parseItem(asRecord(line));
    if (!item.ok) return { ok: false, fault: `items[${index}].${item.fault}` };
    items.push(item.item);
  }
  return { ok: true, items };
}

function parseItem({ name, quantity, price }: Readonly<Record<string, unknown>>): ParseResult<{
  item: OrderItem;
}> {
  if (typeof name !== 'string' || name.trim() === '' || [...name].length > MAX_ITEM_NAME) {
    return { ok: false, fault: `name must be a text of 1 to ${MAX_ITEM_NAME} characters` };
  }
  if (/\p{Cc}/u.test(name)) {
    return { ok: false, fault: 'name has a line break or another control character' };
  }
  const count = parseQuantity(quantity ?? '');
  if (count === null) return { ok: false, fault: `quantity must be an integer from 1 to ${MAX_QUANTITY}` };
  const amount = typeof price === 'string' ? parsePrice(price.trim()) : null;
  if (!amount?.ok || Math.abs(amount.paisa) > MAX_SESSION_PAISA) {
    const most = formatTaka(MAX_SESSION_PAISA);
    const fault = `price must be taka with at most two decimals, such as 500.50, from -${most} to ${most}`;
    return { ok: false, fault };
  }
  return { ok: true, item: { name: name.toWellFormed(), quantity: count, pricePaisa: amount.paisa } };
}

/** Programs that calculate with floating point write 2 as `2.0`. @returns null for anything else. */
function parseQuantity(value: unknown): number | null {
  if (value === '') return 1;
  const [, digits] = typeof value === 'string' ? (/^\s*(\d{1,4})(?:\.0+)?\s*$/.exec(value) ?? []) : [];
  return digits === undefined || Number(digits) === 0 ? null : Number(digits);
}

function parsePrice(text: string): ParsedAmount {
  const price = parseFloatTaka(text.replace(/^-/, ''));
  return price.ok && text.startsWith('-') ? { ok: true, paisa: 0 - price.paisa } : price;
}

/** @returns what the pieces of one line cost together. */
export const itemTotal = ({ quantity, pricePaisa }: OrderItem): Paisa => quantity * pricePaisa;

/** @returns what all lines cost together. */
export const itemsTotal = (items: readonly OrderItem[]): Paisa =>
  items.reduce((sum, item) => sum + itemTotal(item), 0);

/** @param json column `items` of a session; null if the shop sent none. */
export const storedItems = (json: string | null): readonly OrderItem[] =>
  json === null ? [] : (JSON.parse(json) as OrderItem[]);
