/** Changes what is known of a phone: its name and its SIMs. Keys and pairing stay as they are. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { changeSims } from '../../domain/devices/sim-change.js';
import { audit } from '../../store/tables/audit.js';
import { changeDevice, replaceSims, simsOf } from '../../store/tables/devices.js';
import type { Core } from '../core/core.js';
import { nameField } from '../input/fields.js';
import { requireDevice } from '../input/require-row.js';
import { ifGiven, renaming } from '../input/row-change.js';
import { type DeviceView, deviceView } from './device-view.js';
import { simAdvice } from './sim-advice.js';
import { simFields } from './sim-fields.js';

interface UpdateDevice {
  /** Identifier or name. */
  readonly device: string;
  readonly name?: string | undefined;
  /** Slot and new wallet number of each SIM that changes: `1=01712345678`. Others stay. */
  readonly sims?: readonly string[] | undefined;
  /** Slots that have no SIM any more, as they are typed. */
  readonly removedSlots?: readonly string[] | undefined;
  readonly who: string;
}

interface UpdatedDevice extends DeviceView {
  /** What the change means for payments and SMS, in sentences; empty where it means nothing. */
  readonly notes: readonly string[];
}

/**
 * Holds for SMS that the phone receives from now on.
 * @throws KashboxError `not_found`, `invalid_input`, `already_exists`, `state_refused` (a revoked phone stays
 * as it is)
 */
export async function updateDevice(core: Core, input: UpdateDevice): Promise<UpdatedDevice> {
  const { sims = [] } = input;
  const removed = (input.removedSlots ?? []).map(slotField);
  const name = ifGiven(input.name, (text) => nameField('name', text));
  const given = sims.length === 0 ? [] : simFields(sims);
  if (name === undefined && given.length === 0 && removed.length === 0) {
    refuse('Nothing to change was given', 'Name a SIM (--sim 1=01712345678) or a new --name.');
  }
  const twice = given.find(({ slot }) => removed.includes(slot));
  if (twice !== undefined) refuse(`sim ${twice.slot} is both given and removed`, 'Name each slot once.');
  return renaming('device', name, () =>
    core.store.write(async (db) => {
      const row = await requireDevice(db, input.device);
      if (row.revoked_at !== null) throw revoked(row.name);
      const known = await simsOf(db, [row.id]);
      refuseUnknown(known, removed);
      const now = core.clock.now();
      const change = changeSims(known, given, removed, now);
      const after = {
        name: name ?? row.name,
        sims: change.sims.map(({ slot, number }) => ({ slot, number })),
      };
      const stored = change.sims.map((sim) => ({ device_id: row.id, ...sim }));
      const { changed } = change;
      if (after.name !== row.name || changed.length > 0) {
        if (after.name !== row.name) await changeDevice(db, row.id, { name: after.name });
        if (changed.length > 0) await replaceSims(db, row.id, stored);
        const before = { name: row.name, sims: known.map(({ slot, number }) => ({ slot, number })) };
        await audit(core, db, input.who, 'device.update', row.id, { before, after });
      }
      const view = deviceView({ ...row, name: after.name }, { sims: stored, now });
      return { ...view, notes: await simAdvice(db, row, changed) };
    }),
  );
}

function slotField(text: string): number {
  if (/^\d$/.test(text.trim())) return Number(text);
  return refuse(`remove-sim "${text}" is no slot`, 'Write its number: --remove-sim 2');
}

function refuseUnknown(known: Awaited<ReturnType<typeof simsOf>>, removed: readonly number[]): void {
  const strange = removed.find((slot) => !known.some((sim) => sim.slot === slot));
  const has = `It has ${known.map(({ slot, number }) => `${slot}=${number}`).join(' ')}.`;
  if (strange !== undefined) refuse(`The phone has no SIM ${strange}`, has);
  if (known.every(({ slot }) => removed.includes(slot))) {
    refuse('A phone keeps at least one SIM', `${has} To shut it out use \`kashbox devices revoke\`.`);
  }
}

function revoked(name: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `The device "${name}" is revoked`,
    hint: 'Enroll the phone again with `kashbox devices enroll`; it may have the same name.',
  });
}
