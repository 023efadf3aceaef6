/** Alert targets: added, listed, tried out and removed. */
import { KashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { hashKey } from '../../base/io/secret.js';
import { newRowId, newWebhookSecret } from '../../base/values/ids.js';
import { echoed } from '../../base/values/text.js';
import {
  type AlertTarget,
  alertPayload,
  targetAddress,
  targetHint,
} from '../../domain/alerts/alert-target.js';
import { timeOfDayText } from '../../domain/alerts/quiet-hours.js';
import type { AlertSender } from '../../notify/send-alert.js';
import type { AlertTargetTable } from '../../store/schema/index.js';
import { giveUpMessages, messageCounts, releaseHeldAlerts } from '../../store/tables/alert-messages.js';
import {
  activeTargets,
  changeTarget,
  insertTarget,
  removeTargetRow,
} from '../../store/tables/alert-targets.js';
import { audit } from '../../store/tables/audit.js';
import type { Core } from '../core/core.js';
import { sealPurpose } from '../core/sealing.js';
import { definedColumns, diffRow } from '../input/row-change.js';
import { defineView } from '../input/view.js';
import { openTarget, sendAlert } from './deliver-alerts.js';
import {
  choiceColumns,
  type TargetChoices,
  type TypedTarget,
  USUAL_CHOICES,
  validateTarget,
} from './target-input.js';

/** Maximum number of active targets; more would only repeat alerts to the same people. */
const MAX_TARGETS = 20;

export type TargetView = ReturnType<typeof targetView>;

/** Number of alerts of a target that are waiting, held back or abandoned. */
interface AlertCounts {
  readonly waiting: number;
  readonly held: number;
  readonly failed: number;
}

export const targetView = defineView<AlertTargetTable, AlertCounts>()(({ same, times }) => ({
  // The hint is what may be shown of address or command.
  ...same('id', 'kind', 'hint'),
  /** Kinds and groups that it wants. */
  events: (row) => row.events.split(' '),
  /** `23:00-07:00` in Bangladesh, or null. */
  quiet: ({ quiet_from: from, quiet_until: until }) =>
    from === null || until === null ? null : `${timeOfDayText(from)}-${timeOfDayText(until)}`,
  quiet_all: (row) => row.quiet_all === 1,
  /** `21:00` in Bangladesh, or null. */
  daily: (row) => (row.daily_at === null ? null : timeOfDayText(row.daily_at)),
  buttons: (row) => row.buttons === 1,
  /** Ids of users; empty for every member. */
  approvers: (row) => row.approvers.split(' ').filter((id) => id !== ''),
  /** Number of pending alerts; `held` counts those that wait for the end of quiet hours. */
  waiting: (_, { waiting }) => waiting,
  held: (_, { held }) => held,
  failed: (_, { failed }) => failed,
  ...times('created_at'),
}));

export interface AddedTarget {
  readonly target: TargetView;
  /** Secret that signs the webhook, shown only once; null for other kinds. */
  readonly webhook_secret: string | null;
}

/** @throws KashboxError `invalid_input`, `already_exists`, `state_refused` (there are too many) */
export async function addAlertTarget(
  core: Core,
  input: { readonly target: TypedTarget; readonly choices?: TargetChoices; readonly who: string },
): Promise<AddedTarget> {
  const target = validateTarget(input.target, () => newWebhookSecret(core.random));
  const now = core.clock.now();
  const wished = { ...USUAL_CHOICES, ...definedColumns(choiceColumns(input.choices ?? {}, now)) };
  refuseUnfit({ kind: target.kind, ...wished }, () => (target.kind === 'telegram' ? target.chat : ''));
  const id = newRowId(core.random, now, 'target');
  const row = {
    id,
    kind: target.kind,
    secret: core.secrets.seal(JSON.stringify(target), sealPurpose('alert', id)),
    hint: targetHint(target),
    fingerprint: fingerprintOf(core, target),
    created_at: now,
    removed_at: null,
    paused_until: null,
    ...wished,
  };
  await core.store.write(async (db) => {
    const active = await activeTargets(db);
    const same = active.find(({ fingerprint }) => fingerprint === row.fingerprint);
    if (same !== undefined) throw alreadyNotified(same);
    if (active.length >= MAX_TARGETS) {
      throw new KashboxError('state_refused', {
        message: `There can be at most ${MAX_TARGETS} alert targets`,
        hint: 'Remove one first: kashbox alert-targets list',
      });
    }
    await insertTarget(db, row);
    const after = { kind: row.kind, hint: row.hint, events: row.events };
    await audit(core, db, input.who, 'alerts.add', id, { after });
  });
  return {
    target: targetView(row, { waiting: 0, held: 0, failed: 0 }),
    webhook_secret: target.kind === 'webhook' ? target.secret : null,
  };
}

/** @returns the oldest first. */
export async function listAlertTargets(core: Core): Promise<TargetView[]> {
  return core.store.read(async (db) => {
    const counts = await messageCounts(db);
    const count = (id: string, state: string) =>
      counts.find((row) => row.target_id === id && row.state === state)?.count ?? 0;
    const targets = await activeTargets(db);
    return targets.map((row) =>
      targetView(row, {
        waiting: count(row.id, 'PENDING'),
        held: count(row.id, 'HELD'),
        failed: count(row.id, 'FAILED'),
      }),
    );
  });
}

/**
 * Changes the settings of a target. If quiet hours change, the held alerts are delivered by the next check.
 * @returns the updated target.
 * @throws KashboxError `not_found`, `invalid_input`
 */
export async function updateAlertTarget(
  core: Core,
  input: { readonly target: string; readonly choices: TargetChoices; readonly who: string },
): Promise<TargetView> {
  const { id } = await requireTarget(core, input.target);
  const now = core.clock.now();
  const wished = choiceColumns(input.choices, now);
  await core.store.write(async (db) => {
    const row = (await activeTargets(db)).find((target) => target.id === id);
    if (row === undefined) throw unknownTarget(id);
    const change = diffRow(row, definedColumns(wished));
    if (change === null) return;
    refuseUnfit({ ...row, ...definedColumns(wished) }, () => chatOf(core, row));
    await changeTarget(db, id, change.after);
    if ('quiet_from' in change.after || 'quiet_until' in change.after) await releaseHeldAlerts(db, id, now);
    await audit(core, db, input.who, 'alerts.update', id, change);
  });
  return requireTarget(core, id);
}

/** @returns the chat of a Telegram target; empty for all others. @throws KashboxError `secret_unreadable` */
function chatOf(core: Core, { id, secret }: Pick<AlertTargetTable, 'id' | 'secret'>): string {
  const target = openTarget(core, { id, secret });
  return target.kind === 'telegram' ? target.chat : '';
}

/** @throws KashboxError `invalid_input` for choices that mean nothing at such a target */
function refuseUnfit(
  row: Pick<AlertTargetTable, 'kind' | 'buttons' | 'approvers' | 'quiet_all' | 'quiet_from'>,
  chatOfTarget: () => string,
): void {
  if (row.quiet_all === 1 && row.quiet_from === null) {
    refuse('quiet-all needs quiet hours', 'Set both: --quiet-hours 23:00-07:00 --quiet-all');
  }
  if (row.buttons === 0 && row.approvers !== '') {
    refuse('approvers need buttons', 'Add --buttons.');
  }
  if (row.buttons === 0) return;
  if (row.kind !== 'telegram') refuse('Only Telegram shows buttons', 'Leave --buttons out.');
  if (chatOfTarget().startsWith('@')) {
    refuse('A channel with an @name shows no buttons', 'Give the number of a chat or of a group instead.');
  }
}

/** Removes a target, abandons its pending alerts. @returns the target. @throws KashboxError `not_found` */
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
    await audit(core, db, input.who, 'alerts.remove', id, { before: { kind, hint } });
  });
  return view;
}

export interface TestedTarget extends Pick<TargetView, 'id' | 'kind' | 'hint'> {
  readonly delivered: boolean;
  readonly detail: string;
}

/**
 * Sends one test alert to each target, in parallel. Writes nothing.
 * @param input.target id of one target; undefined for all.
 * @throws KashboxError `not_found`, also if there are no targets
 */
export async function testAlertTargets(
  core: Core,
  alertSender: AlertSender,
  input: { readonly target: string | undefined },
): Promise<TestedTarget[]> {
  const named = input.target === undefined ? null : await requireTarget(core, input.target);
  const active = await core.store.read(activeTargets);
  const targets = active.filter(({ id }) => named === null || id === named.id);
  if (targets.length === 0) throw notFound('There is no alert target yet');
  const at = core.clock.now();
  const id = newRowId(core.random, at, 'alert');
  const payload = alertPayload({ id, at, news: null, device: null, merchant: null });
  return Promise.all(
    targets.map(async ({ id: targetId, kind, hint, secret }) => {
      const told = await sendAlert(core, alertSender, { sealed: { id: targetId, secret }, letter: payload });
      return { id: targetId, kind, hint, delivered: told.isDelivered, detail: told.detail };
    }),
  );
}

async function requireTarget(core: Core, named: string): Promise<TargetView> {
  const view = (await listAlertTargets(core)).find(({ id }) => id === named.trim());
  if (view === undefined) throw unknownTarget(named);
  return view;
}

const unknownTarget = (named: string) => notFound(`There is no target "${echoed(named)}"`);

function notFound(message: string): KashboxError {
  return new KashboxError('not_found', {
    message,
    hint: 'List them with `kashbox alert-targets list`; add one with `kashbox alert-targets create`.',
  });
}

/** Hashes with a key of its own: an address may contain a password that a plain hash lets anyone guess. */
function fingerprintOf(core: Core, target: AlertTarget): string {
  const key = Buffer.from(core.secrets.deriveKey('alert-target fingerprint')).toString('hex');
  return hashKey(`${key} ${targetAddress(target)}`);
}

function alreadyNotified({ id, hint }: Pick<AlertTargetTable, 'id' | 'hint'>): KashboxError {
  return new KashboxError('already_exists', {
    message: `This alert target already exists: ${hint}`,
    hint: `Test it with \`kashbox alert-targets test ${id}\`, or delete it first: \`kashbox alert-targets delete ${id}\`.`,
  });
}
