/** Takes back an SMS that no phone has taken yet. */
import { KashboxError } from '../../base/errors/errors.js';
import { audit } from '../../store/tables/audit.js';
import { cancelQueued, findDispatchRow } from '../../store/tables/dispatches.js';
import type { Core } from '../core/core.js';
import { type DispatchView, dispatchView } from './dispatch-view.js';
import { noSuchDispatch } from './find-dispatch.js';

/** @throws KashboxError `not_found`, `state_refused` (a phone has it, or it is over) */
export async function cancelDispatch(
  core: Core,
  input: { readonly id: string; readonly who: string },
): Promise<DispatchView> {
  const id = input.id.trim();
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const cancelled = await cancelQueued(db, id, now);
    const row = await findDispatchRow(db, id);
    if (row === undefined) throw noSuchDispatch(id);
    const view = dispatchView(row, now);
    if (cancelled === undefined) throw refused(view);
    const change = { before: { state: 'QUEUED' }, after: { state: view.state } };
    await audit(core, db, input.who, 'dispatch.cancel', id, change);
    return view;
  });
}

function refused({ state }: DispatchView): KashboxError {
  const isUnsent = state === 'CANCELLED' || state === 'EXPIRED';
  return new KashboxError('state_refused', {
    message: `Only a queued SMS can be cancelled; this one is ${state}`,
    hint: isUnsent
      ? 'It is not sent; nothing needs to be done.'
      : 'What a phone has taken may be sent already. Look at it with `kashbox gateway show`.',
  });
}
