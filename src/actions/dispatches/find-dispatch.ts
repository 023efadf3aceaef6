/** One dispatch with its state and times. */
import { KashboxError } from '../../base/errors/errors.js';
import { echoed, storableText } from '../../base/values/text.js';
import { findDispatchRow } from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';
import { type DispatchView, dispatchView } from './dispatch-view.js';

/**
 * @param input.deviceId whose it must be; null for an operator, who sees all.
 * @throws KashboxError `not_found`, the same for what is another phone's
 */
export async function findDispatch(
  core: Core,
  input: { readonly id: string; readonly deviceId: string | null },
): Promise<DispatchView> {
  const row = await core.store.read((db) => findDispatchRow(db, storableText(input.id.trim())));
  const isTheirs = input.deviceId === null || row?.device_id === input.deviceId;
  if (row === undefined || !isTheirs) throw noSuchDispatch(input.id);
  return dispatchView(row, core.clock.now());
}

export function noSuchDispatch(id: string): KashboxError {
  return new KashboxError('not_found', {
    message: `There is no outbound SMS "${echoed(id)}"`,
    hint: 'See them all with `kashbox gateway list`.',
  });
}
