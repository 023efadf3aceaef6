/**
 * Changes the name and the SIMs of a phone, and reports what that means for payments and SMS. Keys and
 * pairing stay unchanged.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits, quoted } from '../../base/values/text.js';
import { changeSims } from '../../domain/devices/sim-change.js';
import type { Db } from '../../store/schema/index.js';
import { accountsOfNumber } from '../../store/tables/accounts.js';
import { audit } from '../../store/tables/audit.js';
import { changeDevice, listPhonesWithSim, listSims, replaceSims } from '../../store/tables/devices.js';
import { countOpenSessionsOfBrand } from '../../store/tables/figures.js';
import type { Core } from '../core/core.js';
import { mobileField, nameField } from '../input/fields.js';
import { requireDevice } from '../input/require-row.js';
import { ifGiven, renaming } from '../input/row-change.js';
import { type DeviceView, deviceView, type SimView } from './device-view.js';

interface UpdateDevice {
  /** Identifier or name. */
  readonly device: string;
  readonly name?: string | undefined;
  /** Slot and new wallet number of each SIM that changes: `1=01712345678`. Others stay. */
  readonly sims?: readonly string[] | undefined;
  /** Slots that no longer have a SIM, as typed. */
  readonly removedSlots?: readonly string[] | undefined;
  readonly who: string;
}

interface UpdatedDevice extends DeviceView {
  /** Effects of the change on payments and SMS, in sentences; empty if there are none. */
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
      const known = await listSims(db, [row.id]);
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
  return refuse(`remove-sim "${text}" is not a slot`, 'Write its number: --remove-sim 2');
}

function refuseUnknown(known: Awaited<ReturnType<typeof listSims>>, removed: readonly number[]): void {
  const strange = removed.find((slot) => !known.some((sim) => sim.slot === slot));
  const has = `It has ${known.map(({ slot, number }) => `${slot}=${number}`).join(' ')}.`;
  if (strange !== undefined) refuse(`The phone has no SIM ${strange}`, has);
  if (known.every(({ slot }) => removed.includes(slot))) {
    refuse('A phone keeps at least one SIM', `${has} To revoke it use \`kashbox devices revoke\`.`);
  }
}

function revoked(name: string): KashboxError {
  return new KashboxError('state_refused', {
    message: `The device "${name}" is revoked`,
    hint: 'Enroll the phone again with `kashbox devices enroll`; it may have the same name.',
  });
}

const MAX_SLOT = 8;

/** @param texts `1=01712345678`, one for each SIM. @throws KashboxError `invalid_input` */
export function simFields(texts: readonly string[]): SimView[] {
  const sims = texts.map((text) => {
    const [, slot = '', number = ''] = /^\s*(\d)\s*=(.*)$/.exec(asciiDigits(text)) ?? [];
    if (slot < '1' || slot > String(MAX_SLOT)) {
      refuse(
        `sim "${text}" does not name slot and number`,
        'Write the slot, an equals sign and the number of the SIM in it: --sim 1=01712345678',
      );
    }
    return { slot: Number(slot), number: mobileField('sim', number) };
  });
  if (sims.length === 0 || new Set(sims.map((sim) => sim.slot)).size < sims.length) {
    refuse(
      sims.length === 0 ? 'sim is missing' : 'sim names one slot twice',
      'Give --sim once for each SIM in the phone: --sim 1=01712345678 --sim 2=01812345678',
    );
  }
  return sims;
}

interface ChangedSim {
  readonly slot: number;
  /** Number of the previous SIM; null if the slot had none. */
  readonly before: string | null;
  readonly after: string | null;
}

interface ChangedPhone {
  readonly merchant_id: string;
  /** Number of SMS on the phone, as last reported; null if never reported. */
  readonly queued: number | null;
}

/** @param changed as it is stored by now. @returns sentences for the operator, each with what to do. */
async function simAdvice(db: Db, phone: ChangedPhone, changed: readonly ChangedSim[]): Promise<string[]> {
  const notes: string[] = [];
  for (const { slot, before } of changed) if (before !== null) notes.push(lateSms(phone, slot, before));
  for (const number of numbersOf(changed, 'before')) notes.push(...(await nowUnread(db, phone, number)));
  for (const number of numbersOf(changed, 'after')) notes.push(...(await unused(db, phone, number)));
  return notes;
}

function numbersOf(changed: readonly ChangedSim[], when: 'before' | 'after'): string[] {
  return [...new Set(changed.flatMap((sim) => sim[when] ?? []))];
}

function lateSms({ queued }: ChangedPhone, slot: number, before: string): string {
  const lying = queued !== null && queued > 0 ? ` ${queued} are on the phone.` : '';
  return (
    `SMS that SIM ${slot} received before now and that are synced later need manual review: they may not ` +
    `have reached ${before}.${lying} See them with: kashbox verifications list`
  );
}

async function nowUnread(db: Db, { merchant_id: merchant }: ChangedPhone, number: string): Promise<string[]> {
  if ((await listPhonesWithSim(db, merchant, number)).length > 0) return [];
  const accounts = await accountsOfNumber(db, merchant, number);
  const notes: string[] = [];
  for (const { brand, brand_id, channel, type } of accounts) {
    const open = await countOpenSessionsOfBrand(db, brand_id);
    const set = `kashbox accounts set --brand ${quoted(brand)} --channel ${channel} --type ${type} --number NUMBER`;
    notes.push(
      `No phone reads the SMS of ${number} any longer, but brand ${quoted(brand)} receives payments ` +
        `there (${channel} ${type}; ${open === 1 ? '1 payment is' : `${open} payments are`} open). Set ` +
        `its new number: ${set}`,
    );
  }
  return notes;
}

async function unused(db: Db, { merchant_id: merchant }: ChangedPhone, number: string): Promise<string[]> {
  if ((await accountsOfNumber(db, merchant, number)).length > 0) return [];
  return [
    `No brand receives payments at ${number} yet, so its SMS complete no payments: kashbox accounts ` +
      `set --brand BRAND --channel CHANNEL --type TYPE --number ${number}`,
  ];
}
