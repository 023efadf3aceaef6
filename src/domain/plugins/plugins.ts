/**
 * Third-party programs by which shops request payments, and the response format of each. The rows are in
 * plugin-table.ts; `--plugin`, docs/plugins.md and the doctor's advice derive from them. Pure.
 */
import {
  FORM_EVENTS,
  NOTIFICATION_EVENTS,
  type NotificationEvent,
  type WebhookFormat,
} from '../notifications/notification.js';
import type { Dialect } from '../sessions/payment-record.js';
import { CALL_SIGNS, type CallSign, PLUGINS, type Plugin, type PluginName } from './plugin-table.js';

export { PLUGINS, type PluginName };

/** Takes a brand's program away. */
export const NO_PLUGIN = 'none';

export const PLUGIN_NAMES = Object.keys(PLUGINS) as readonly PluginName[];

/** @returns the row of that name; null for none, also for a name that only another version knows. */
export function findPlugin(name: string | null): Plugin | null {
  const known = PLUGIN_NAMES.find((one) => one === name);
  return known === undefined ? null : PLUGINS[known];
}

/** True if the shop's program is notified of an event. @param plugin name of its row, or null. */
export function isNotified(plugin: string | null, format: WebhookFormat, event: NotificationEvent): boolean {
  const sent: readonly NotificationEvent[] = format === 'form' ? FORM_EVENTS : NOTIFICATION_EVENTS;
  const events = findPlugin(plugin)?.events ?? 'all';
  return sent.includes(event) && (events === 'all' || events.includes(event));
}

/** @returns what keeps the id of a paid payment from paying another order, in a sentence or three. */
export function bindingText({ binds }: Pick<Plugin, 'binds'>): string {
  switch (binds) {
    case 'program':
      return 'It compares the response of verify with the order: the id of another payment is not accepted.';
    case 'notification':
      return (
        'It books any completed id and does not check which order the id belongs to. So Kashbox sends ' +
        'the notification of a completed payment with an id that no customer sees (the transaction id, a ' +
        'dash and 24 characters). Verify returns COMPLETED for that id only, until the notification is ' +
        'delivered. It answers 409 to any other id of a completed payment.'
      );
    case 'success_url':
      return (
        'It books any completed id when a customer opens the success_url, which contains a secret of the ' +
        'order. So the checkout page redirects there only after the payment is completed; under review ' +
        'the customer stays on the page.'
      );
    case 'shop':
      return (
        'Your code decides what is booked: store the session reference with the order, verify by it, and ' +
        'compare the amount. Nothing else prevents the id of one paid order from paying another.'
      );
    default:
      return binds satisfies never;
  }
}

/** @returns the programs that are recognised by one of these signs, in the order of the table. */
export function pluginsCalling(signs: readonly CallSign[]): readonly PluginName[] {
  return PLUGIN_NAMES.filter((name) => PLUGINS[name].signs.some((sign) => signs.includes(sign)));
}

/** @param kept text of `brands.called_by`. */
export function parseSigns(kept: string): readonly CallSign[] {
  const words = kept.split(' ');
  return CALL_SIGNS.filter((sign) => words.includes(sign));
}

/** @returns the text with the new signs in it, always in one order; the same text where nothing is new. */
export function withSigns(kept: string, signs: readonly CallSign[]): string {
  const known = parseSigns(kept);
  return CALL_SIGNS.filter((sign) => known.includes(sign) || signs.includes(sign)).join(' ');
}

/**
 * True if an unpaid payment may be taken for paid. Receivers of forms are old PHP with loose comparison: with
 * `standard`, one that sends its key as `BRAND-KEY` takes an unpaid payment's `true` for paid.
 */
export function isRisky(dialect: Dialect, format: WebhookFormat): boolean {
  return dialect === 'standard' && format === 'form';
}

/**
 * Consistency of a brand's settings with the programs that call it. `dialect`: the programs expect the record
 * at the top level of verify, where `standard` has a boolean; an operator who selected `strict` knows that.
 * `program`: the calling program is not the configured one. `fits`: neither, or no program was recognised.
 */
export type PluginFit = 'fits' | 'dialect' | 'program';

export function checkPluginFit(
  brand: { readonly dialect: Dialect; readonly plugin: string | null },
  signs: readonly CallSign[],
): PluginFit {
  if (signs.length === 0) return 'fits';
  if (brand.dialect === 'standard') return 'dialect';
  const own: readonly CallSign[] = findPlugin(brand.plugin)?.signs ?? [];
  return own.length === 0 || own.some((sign) => signs.includes(sign)) ? 'fits' : 'program';
}
