/**
 * Known ids of wallets whose ids are counted: lists them, exports them without customer data, and imports
 * those of another installation on the operator's word.
 */
import { refuse } from '../../base/errors/refuse.js';
import { dhakaIso } from '../../base/values/clock.js';
import { echoed } from '../../base/values/text.js';
import {
  aheadOfForecast,
  areIdsConsistent,
  blockOf,
  expectedUntil,
  ID_KNOWN_FOR_MS,
  type IssuedId,
  judgePoint,
  latestSample,
  type MfsChannel,
  measuredSpeed,
} from '../../channels/mfs/index.js';
import { MFS_CHANNELS } from '../../domain/accounts/channels.js';
import type { WalletIdTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { IMPORTED, idOfDay, listedWalletIds, putWalletId } from '../../store/tables/wallet-ids.js';
import type { Core } from '../core/core.js';
import { defineView, isoOrNull } from '../input/view.js';

interface KnownIds {
  readonly channel: MfsChannel;
  /** In the order of their times. */
  readonly points: readonly WalletIdTable[];
}

const DAY_MS = 86_400_000;
const issuedOf = ({ id, at: atMs }: WalletIdTable): IssuedId => ({ id, atMs });
const oneDecimal = (value: number | null) => (value === null ? null : Math.round(value * 10) / 10);
const countOf = (source: WalletIdTable['learnt_from']) => (known: KnownIds) =>
  known.points.filter(({ learnt_from }) => learnt_from === source).length;

export const knownIdsView = defineView<KnownIds>()(({ same }) => ({
  ...same('channel'),
  /** `counted`; `dated`: the id carries its date, so that nothing has to be known. */
  ids: ({ channel }) => (latestSample(channel) === null ? 'dated' : 'counted'),
  newest_id: ({ points }) => points.at(-1)?.id ?? null,
  newest_at: ({ points }) => isoOrNull(points.at(-1)?.at ?? null),
  /** Speed between the oldest and the newest; null if they are less than a day apart. */
  ids_per_second: ({ channel, points }) => oneDecimal(measuredSpeed(channel, points.map(issuedOf))),
  /** Days by which the counter is ahead of the forecast; negative if it is slower. */
  days_ahead: ({ channel, points }) => {
    const newest = points.at(-1);
    const aheadMs = newest === undefined ? null : aheadOfForecast(channel, issuedOf(newest));
    return oneDecimal(aheadMs === null ? null : aheadMs / DAY_MS);
  },
  known_until: ({ channel, points }) => isoOrNull(knownUntil(channel, points.at(-1))),
  /** Number of known ids, and what they were learnt from. */
  points: ({ points }) => points.length,
  approved: countOf('approved'),
  balance: countOf('balance'),
  imported: countOf('imported'),
}));

export type KnownIdsView = ReturnType<typeof knownIdsView>;

/** @returns the time until which ids are expected to need no review; null for wallets with dated ids. */
function knownUntil(channel: MfsChannel, newest: WalletIdTable | undefined): number | null {
  const from = newest === undefined ? latestSample(channel) : issuedOf(newest);
  if (from === null) return null;
  const learnt = newest === undefined ? 0 : newest.at + ID_KNOWN_FOR_MS;
  return Math.max(expectedUntil(channel, from) ?? 0, learnt) || null;
}

/** @returns one for each wallet, in their order. */
export async function listKnownIds(core: Core): Promise<KnownIdsView[]> {
  const rows = await core.store.read((db) => listedWalletIds(db, core.clock.now() - ID_KNOWN_FOR_MS));
  return MFS_CHANNELS.map((channel) =>
    knownIdsView({ channel, points: rows.filter((row) => row.channel === channel) }),
  );
}

/** A known id in a file: its block, and the time to the minute. */
interface ExportedId {
  readonly channel: string;
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface ExportedIds {
  readonly wallet_ids: readonly ExportedId[];
}

/** Exports what this installation has learnt itself, of each day and wallet the newest, without its owner. */
export async function exportKnownIds(core: Core): Promise<ExportedIds> {
  const rows = await core.store.read((db) => listedWalletIds(db, core.clock.now() - ID_KNOWN_FOR_MS));
  const own = rows.filter(({ merchant_id }) => merchant_id !== IMPORTED);
  const newest = new Map(own.map((row) => [`${row.channel} ${row.day}`, row]));
  return {
    wallet_ids: [...newest.values()].map(({ channel, id, at }) => ({
      ...{ channel, id: blockOf(id) },
      at: `${dhakaIso(at).slice(0, 16)}:00+06:00`,
    })),
  };
}

interface Point extends IssuedId {
  readonly channel: MfsChannel;
  /** What it is called in errors. */
  readonly name: string;
}

interface ImportedIds {
  /** Number of ids that are new. */
  readonly added: number;
  /** Number of ids that were known, or are too old to matter. */
  readonly unchanged: number;
}

const SHAPE_HINT = 'Make the file with `kashbox sms ids --export FILE` on another installation.';
const NOTHING_HINT = 'Nothing was imported. Take that id out of the file, or get a newer file.';

/**
 * Imports ids that another installation exported: all of them, or none.
 * @param input.file parsed JSON, not validated.
 * @throws KashboxError `invalid_input` that names the first id that is wrong
 */
export async function importKnownIds(
  core: Core,
  input: { readonly file: unknown; readonly who: string },
): Promise<ImportedIds> {
  const now = core.clock.now();
  const points = pointsIn(input.file).sort((one, other) => one.atMs - other.atMs);
  for (const point of points) requirePossible(point, now);
  const recent = points.filter(({ atMs }) => atMs >= now - ID_KNOWN_FOR_MS);
  return core.store.write(async (db) => {
    requireConsistent(recent, await listedWalletIds(db, now - ID_KNOWN_FOR_MS));
    let added = 0;
    for (const { channel, id, atMs: at } of recent) {
      const place = { channel, merchant_id: IMPORTED, day: dhakaIso(at).slice(0, 10) };
      const known = await idOfDay.first(db, place);
      if (known !== undefined && known.at >= at) continue;
      await putWalletId.all(db, { ...place, id, at, learnt_from: 'imported', stored_at: now });
      added += 1;
    }
    const unchanged = points.length - added;
    if (added > 0) {
      await audit(core, db, input.who, 'sms.import_ids', 'wallet_ids', { after: { added, unchanged } });
    }
    return { added, unchanged };
  });
}

function pointsIn(file: unknown): Point[] {
  const list = (file as Partial<ExportedIds> | null)?.wallet_ids;
  if (!Array.isArray(list)) refuse('The file contains no list "wallet_ids"', SHAPE_HINT);
  return list.map((item: unknown, index): Point => {
    const { channel, id, at } = (item ?? {}) as Partial<Record<keyof ExportedId, unknown>>;
    const known = MFS_CHANNELS.find((name) => name === channel);
    const atMs = typeof at === 'string' ? Date.parse(at) : Number.NaN;
    const name = `Id ${index + 1} (${echoed([channel, id, at].map(String).join(' '))})`;
    if (known === undefined || typeof id !== 'string' || Number.isNaN(atMs)) {
      refuse(`${name} needs a wallet's channel, an id and a time`, SHAPE_HINT);
    }
    return { channel: known, id: blockOf(id), atMs, name };
  });
}

const FAULTS = {
  shape: "is not an id of that wallet's counter",
  future: 'is in the future',
  impossible: 'is too far from the forecast of that wallet',
} as const;

function requirePossible(point: Point, now: number): void {
  const fault = judgePoint(point.channel, point, now);
  if (fault !== null) refuse(`${point.name} ${FAULTS[fault]}`, NOTHING_HINT);
}

/** Compares each id with the one before it and the one after it, of the file and of those that are known. */
function requireConsistent(points: readonly Point[], known: readonly WalletIdTable[]): void {
  for (const channel of MFS_CHANNELS) {
    const all = [
      ...known.filter((row) => row.channel === channel).map((row) => ({ ...issuedOf(row), name: null })),
      ...points.filter((point) => point.channel === channel),
    ].sort((one, other) => one.atMs - other.atMs);
    for (const [index, later] of all.entries()) {
      const earlier = all[index - 1];
      const name = later.name ?? earlier?.name;
      if (earlier === undefined || name == null || areIdsConsistent(channel, earlier, later)) continue;
      const other = later.name === name ? earlier : later;
      refuse(`${name} does not fit ${other.id} of ${dhakaIso(other.atMs).slice(0, 16)}`, NOTHING_HINT);
    }
  }
}
