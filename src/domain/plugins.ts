/**
 * Programs of other people by which shops ask for payments, and how each wants to be answered. The rows stand
 * in plugin-table.ts; from them come `--plugin`, docs/plugins.md and the doctor's advice. Pure.
 */
import type { Dialect, MetadataAs } from './dialect.js';
import type { NotificationEvent, WebhookFormat } from './notification.js';
import { PLUGINS, type PluginName } from './plugin-table.js';
import type { ReturnMethod } from './redirect.js';

export { PLUGINS, type PluginName };

/** Under which header names a notification is signed beside ours (notify/signature). */
export type SignatureSet = 'kashbox' | 'nagorikpay';

/**
 * By what a request of such a program is recognised: a header with its key, a path, or a field. One word
 * each, because they are kept as a text with spaces between them.
 */
export const CALL_SIGNS = [
  'API-KEY',
  'SECRET-KEY',
  'X-API-KEY',
  'SOHOJPAY-API-KEY',
  'api_key',
  '/api/payment/checkout',
  '/api/payment/verify-payment',
  'fullname',
] as const;
export type CallSign = (typeof CALL_SIGNS)[number];

export interface Plugin {
  /** As its makers call it, and where they have published it. */
  readonly title: string;
  readonly source: string;
  readonly dialect: Dialect;
  readonly metadataAs: MetadataAs;
  readonly webhookFormat: WebhookFormat;
  readonly returnType: ReturnMethod;
  /** Further names under which the way back to the shop has the transaction id. */
  readonly returnNames: readonly string[];
  readonly signatures: SignatureSet;
  /** What it is told; a receiver that books whatever comes, or refuses what it does not know, hears less. */
  readonly events: 'all' | readonly NotificationEvent[];
  readonly signs: readonly CallSign[];
  /** How it is led to Kashbox, which stands at https://pay.example.com; with `code` between backticks. */
  readonly host: string;
  /** Which of its sentences were tried, and how. */
  readonly tried: string;
  /** What whoever uses it should know; empty where there is nothing. */
  readonly remarks: string;
}

/** Takes a brand's program away. */
export const NO_PLUGIN = 'none';

export const PLUGIN_NAMES = Object.keys(PLUGINS) as readonly PluginName[];

/** @returns the row of that name; null for none, also for a name that only another version knows. */
export function pluginOf(name: string | null): Plugin | null {
  const known = PLUGIN_NAMES.find((one) => one === name);
  return known === undefined ? null : PLUGINS[known];
}

/** Whether the shop's program is told of an event. @param plugin name of its row, or null. */
export function isTold(plugin: string | null, event: NotificationEvent): boolean {
  const events = pluginOf(plugin)?.events ?? 'all';
  return events === 'all' || events.includes(event);
}

/** @returns the programs that are recognised by one of these signs, in the order of the table. */
export function pluginsCalling(signs: readonly CallSign[]): readonly PluginName[] {
  return PLUGIN_NAMES.filter((name) => PLUGINS[name].signs.some((sign) => signs.includes(sign)));
}

/** @param kept text of `brands.called_by`. */
export function readSigns(kept: string): readonly CallSign[] {
  const words = kept.split(' ');
  return CALL_SIGNS.filter((sign) => words.includes(sign));
}

/** @returns the text with the new signs in it, always in one order; the same text where nothing is new. */
export function withSigns(kept: string, signs: readonly CallSign[]): string {
  const known = readSigns(kept);
  return CALL_SIGNS.filter((sign) => known.includes(sign) || signs.includes(sign)).join(' ');
}

/**
 * Receivers of forms are old programs in PHP, which compare loosely: beside `standard` one whose key comes
 * under `BRAND-KEY` takes the `true` of an unpaid payment for paid.
 */
export function isRisky(dialect: Dialect, format: WebhookFormat): boolean {
  return dialect === 'standard' && format === 'form';
}

/**
 * How the settings of a brand and the programs that call it agree. `dialect`: they look for the record at
 * the top of verify, and `standard` has a boolean there; whoever has chosen `strict` knows what they do.
 * `program`: it is another one than was named. `fits`: neither, or nobody was recognised.
 */
export type Fit = 'fits' | 'dialect' | 'program';

export function fitOf(
  brand: { readonly dialect: Dialect; readonly plugin: string | null },
  signs: readonly CallSign[],
): Fit {
  if (signs.length === 0) return 'fits';
  if (brand.dialect === 'standard') return 'dialect';
  const own: readonly CallSign[] = pluginOf(brand.plugin)?.signs ?? [];
  return own.length === 0 || own.some((sign) => signs.includes(sign)) ? 'fits' : 'program';
}
