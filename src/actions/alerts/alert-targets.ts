/** Alert targets: added, listed, tried out and removed. */

import { KashboxError } from '../../base/errors/errors.js';
import { hashKey } from '../../base/io/secret.js';
import { dhakaIso } from '../../base/values/clock.js';
import { newRowId, newWebhookSecret } from '../../base/values/ids.js';
import { echoed } from '../../base/values/text.js';
import { alertLetter } from '../../domain/alerts/alert-content.js';
import { type AlertTarget, targetHint, targetPlace } from '../../domain/alerts/alert-target.js';
import type { AlertTeller } from '../../notify/tell-alert.js';
import type { AlertTargetTable } from '../../store/schema/index.js';
import {
  giveUpMessages,
  insertTarget,
  livingTargets,
  messageCounts,
  removeTargetRow,
} from '../../store/tables/alert-messages.js';
import { writeAudit } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/seal-purposes.js';
import { readTarget, type TypedTarget } from './alert-target-input.js';
import { tellAlert } from './deliver-alerts.js';

/** More would only mean that the same people are told many times over. */
const MAX_TARGETS = 20;

export interface TargetView {
  readonly id: string;
  readonly kind: AlertTargetTable['kind'];
  /** What may be shown of address or command. */
  readonly hint: string;
  /** Alerts that wait to be told there, and those that were given up. */
  readonly waiting: number;
  readonly dead: number;
  readonly created_at: string;
}

export interface AddedTarget {
  readonly target: TargetView;
  /** What a webhook is signed with, shown this once; null of other kinds. */
  readonly webhook_secret: string | null;
}

/** @throws KashboxError `invalid_input`, `already_exists`, `state_refused` (there are too many) */
export async function addAlertTarget(
  core: Core,
  input: { readonly target: TypedTarget; readonly who: string },
): Promise<AddedTarget> {
  const target = readTarget(input.target, () => newWebhookSecret(core.random));
  const now = core.clock.now();
  const id = newRowId(core.random, now, 'target');
  const row = {
    id,
    kind: target.kind,
    secret: core.secrets.seal(JSON.stringify(target), sealPurpose('alert', id)),
    hint: targetHint(target),
    fingerprint: fingerprintOf(core, target),
    created_at: now,
    removed_at: null,
  };
  await core.store.write(async (db) => {
    const living = await livingTargets(db);
    const same = living.find(({ fingerprint }) => fingerprint === row.fingerprint);
    if (same !== undefined) throw toldAlready(same);
    if (living.length >= MAX_TARGETS) throw tooMany();
    await insertTarget(db, row);
    const after = { kind: row.kind, hint: row.hint };
    await writeAudit(db, core.random, { at: now, who: input.who, action: 'alerts.add', subject: id, after });
  });
  return {
    target: viewOf(row, { waiting: 0, dead: 0 }),
    webhook_secret: target.kind === 'webhook' ? target.secret : null,
  };
}

/** @returns the oldest first. */
export async function listAlertTargets(core: Core): Promise<TargetView[]> {
  return core.store.read(async (db) => {
    const counts = await messageCounts(db);
    const count = (id: string, state: string) =>
      Number(counts.find((row) => row.target_id === id && row.state === state)?.count ?? 0);
    const targets = await livingTargets(db);
    return targets.map((row) => viewOf(row, { waiting: count(row.id, 'DUE'), dead: count(row.id, 'DEAD') }));
  });
}

/**
 * What waits for it is given up.
 * @returns the target as it was.
 * @throws KashboxError `not_found`
 */
export async function removeAlertTarget(
  core: Core,
  input: { readonly target: string; readonly who: string },
): Promise<TargetView> {
  const view = await requireTarget(core, input.target);
  const { id, kind, hint } = view;
  const now = core.clock.now();
  await core.store.write(async (db) => {
    if (!(await removeTargetRow(db, id, now))) return;
    await giveUpMessages(db, id, 'its target was removed');
    const before = { kind, hint };
    await writeAudit(db, core.random, {
      ...{ at: now, who: input.who, action: 'alerts.remove', subject: id, before },
    });
  });
  return view;
}

export interface TestedTarget {
  readonly id: string;
  readonly kind: TargetView['kind'];
  readonly hint: string;
  readonly delivered: boolean;
  readonly detail: string;
}

/**
 * Tells targets of a test, now and once, all at the same time. Nothing is written.
 * @param input.target one of them; undefined for all.
 * @throws KashboxError `not_found`, also where there are none
 */
export async function testAlertTargets(
  core: Core,
  teller: AlertTeller,
  input: { readonly target: string | undefined },
): Promise<TestedTarget[]> {
  const named = input.target === undefined ? null : await requireTarget(core, input.target);
  const living = await core.store.read(livingTargets);
  const targets = living.filter(({ id }) => named === null || id === named.id);
  if (targets.length === 0) throw notFound('There is nowhere to tell alerts yet');
  const at = core.clock.now();
  const id = newRowId(core.random, at, 'alert');
  const letter = alertLetter({ id, at, news: null, device: null, merchant: null });
  return Promise.all(
    targets.map(async ({ id: targetId, kind, hint, secret }) => {
      const told = await tellAlert(core, teller, { sealed: { id: targetId, secret }, letter });
      return { id: targetId, kind, hint, delivered: told.isDelivered, detail: told.detail };
    }),
  );
}

async function requireTarget(core: Core, named: string): Promise<TargetView> {
  const view = (await listAlertTargets(core)).find(({ id }) => id === named.trim());
  if (view === undefined) throw notFound(`There is no target "${echoed(named)}"`);
  return view;
}

function notFound(message: string): KashboxError {
  return new KashboxError('not_found', {
    message,
    hint: 'See them all with `kashbox alerts targets`; add one with `kashbox alerts add`.',
  });
}

/** Under a key of its own: an address may hold a password that is short enough to be guessed from a hash. */
function fingerprintOf(core: Core, target: AlertTarget): string {
  const key = Buffer.from(core.secrets.deriveKey('alert-target fingerprint')).toString('hex');
  return hashKey(`${key} ${targetPlace(target)}`);
}

function toldAlready({ id, hint }: Pick<AlertTargetTable, 'id' | 'hint'>): KashboxError {
  return new KashboxError('already_exists', {
    message: `Alerts are told there already: ${hint}`,
    hint: `Try it with \`kashbox alerts test ${id}\`, or take it away first: \`kashbox alerts remove ${id}\`.`,
  });
}

function tooMany(): KashboxError {
  return new KashboxError('state_refused', {
    message: `Alerts are told at ${MAX_TARGETS} places at most`,
    hint: 'Remove one first: kashbox alerts targets',
  });
}

function viewOf(
  { id, kind, hint, created_at }: Pick<AlertTargetTable, 'id' | 'kind' | 'hint' | 'created_at'>,
  counts: Pick<TargetView, 'waiting' | 'dead'>,
): TargetView {
  return { id, kind, hint, ...counts, created_at: dhakaIso(created_at) };
}
