/**
 * What the store adds to the texts of the operator's sources: the account that the money reached, whether the
 * source is trusted, and an alert if its wording changes. A trusted source is weak evidence; no
 * rule takes its word alone (docs/adr/0054). Trust ends if anything in the file of the source changes.
 */
import { isDeepStrictEqual } from 'node:util';
import { KashboxError } from '../../base/errors/errors.js';
import { dhakaIso } from '../../base/values/clock.js';
import { echoed } from '../../base/values/text.js';
import { type CompiledSource, parseSms, type SmsReason } from '../../channels/mfs/index.js';
import { APPROVED_TO_TRUST } from '../../domain/sources/source.js';
import type { Db, SmsTable, SmsTrustTable } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import {
  approvedTexts,
  countTexts,
  deleteTrust,
  listTrust,
  lowerWeakProofs,
  numbersOnChannel,
  putTrust,
  unreadSince,
} from '../../store/tables/sms-sources.js';
import { raiseAlert } from '../alerts/raise-alert.js';
import type { Core } from '../core/core.js';
import { defineView, isoOrNull } from '../input/view.js';
import type { SmsAsRead } from './prepare-sms.js';

/** Reasons of a text of a source that nothing but the missing trust speaks against. */
const UNTRUSTED: readonly SmsReason[] = ['kind_needs_person', 'source_untrusted'];
const TRUSTED: readonly SmsReason[] = ['kind_needs_person'];

/** @returns sources of the operator's files by name, as this process has loaded them. */
export async function loadSources(core: Core): Promise<ReadonlyMap<string, CompiledSource>> {
  const { sources } = await core.smsEngine();
  return new Map([...sources.values()].map((one) => [one.source.name, one]));
}

/** @returns the number of the account; null if the shop has several and the file names none of them. */
export function accountOf({ source }: CompiledSource, numbers: readonly string[]): string | null {
  const { account } = source;
  if (account !== null) return numbers.find((number) => number === account) ?? null;
  return numbers.length === 1 ? (numbers[0] ?? null) : null;
}

/** @returns the texts of one merchant, those of sources with their account and as weak money if trusted. */
export async function judgeSources(
  core: Core,
  db: Db,
  texts: readonly SmsAsRead[],
): Promise<readonly SmsAsRead[]> {
  if (!texts.some(({ row, proofs }) => row.source_name !== null && proofs.length > 0)) return texts;
  const sources = await loadSources(core);
  const trust = new Map((await listTrust(db)).map(({ name, stamp }) => [name, stamp]));
  const judged: SmsAsRead[] = [];
  for (const item of texts) {
    const { row } = item;
    const source = row.source_name === null ? undefined : sources.get(row.source_name);
    if (source === undefined) {
      judged.push(item);
      continue;
    }
    const recipient = accountOf(source, await numbersOnChannel(db, row.merchant_id, source.source.channel));
    const isTrusted =
      trust.get(source.source.name) === source.stamp && isDeepStrictEqual(JSON.parse(row.reasons), UNTRUSTED);
    judged.push({
      ...item,
      row: isTrusted ? { ...row, reasons: JSON.stringify(TRUSTED) } : row,
      proofs: item.proofs.map((proof) => ({ ...proof, recipient, settle: isTrusted ? 'weak' : 'review' })),
    });
  }
  return judged;
}

const DAY_MS = 86_400_000;
/** Age of texts that an alert counts. */
const COUNTED_MS = 7 * DAY_MS;

/** Alerts once a day for a source that the operator has trusted and whose money no format reads. */
export async function alertNewWords(core: Core, db: Db, arrived: readonly SmsAsRead[]): Promise<void> {
  const isUnread = ({ source_name, format, settle }: SmsTable) =>
    source_name !== null && format === null && settle === 'review';
  const unread = arrived.map(({ row }) => row).filter(isUnread);
  const [first] = unread;
  if (first === undefined) return;
  const trusted = new Set((await listTrust(db)).map(({ name }) => name));
  const sources = await loadSources(core);
  const now = core.clock.now();
  const day = dhakaIso(now).slice(0, 10);
  for (const name of new Set(unread.map(({ source_name }) => source_name ?? ''))) {
    if (!trusted.has(name)) continue;
    const merchantId = first.merchant_id;
    const { count, first: firstAt } = await unreadSince(db, name, merchantId, now - COUNTED_MS);
    const title = sources.get(name)?.source.title ?? name;
    await raiseAlert(core, db, {
      kind: 'sms.new_words',
      detail: { source: name, title, texts: count, since: dhakaIso(firstAt ?? now) },
      merchantId,
      incident: `sms.new_words:${merchantId}:${name}:${day}`,
    });
  }
}

interface TrustSource {
  readonly name: string;
  readonly who: string;
}

/** Approved texts that are looked at. */
const MOST_APPROVED = 200;

/**
 * Trusts a source: from now on its texts are weak money.
 * @throws KashboxError `not_found`, `state_refused` if too few texts of its present formats were approved
 */
export async function trustSource(core: Core, { name, who }: TrustSource): Promise<SourceView> {
  const source = (await loadSources(core)).get(name);
  if (source === undefined) throw unknownSource(name);
  await core.store.write(async (db) => {
    const approved = await countApproved(core, db, source);
    if (approved < APPROVED_TO_TRUST) {
      throw new KashboxError('state_refused', {
        message: `${approved} of ${APPROVED_TO_TRUST} approved: people have to approve ${APPROVED_TO_TRUST} texts of ${source.source.title} that its present formats read`,
        hint: 'Its money waits here: kashbox verifications list, kashbox sms list --unmatched',
      });
    }
    const { stamp } = source;
    await putTrust(db, { name, stamp, trusted_at: core.clock.now(), trusted_by: who });
    await audit(core, db, who, 'sms.trust', name, { after: { stamp, approved } });
  });
  return requireView(core, name);
}

/** Ends the trust; money of the source that has paid nothing needs manual review. @throws `not_found` */
export async function distrustSource(core: Core, { name, who }: TrustSource): Promise<SourceView | null> {
  await core.store.write(async (db) => {
    if (!(await deleteTrust(db, name))) {
      throw new KashboxError('not_found', {
        message: `The source "${echoed(name)}" is not trusted`,
        hint: 'List them: kashbox sms trust',
      });
    }
    const lowered = await lowerWeakProofs(db, name);
    await audit(core, db, who, 'sms.distrust', name, { after: { lowered } });
  });
  return (await listSources(core)).find((one) => one.name === name) ?? null;
}

function unknownSource(name: string): KashboxError {
  return new KashboxError('not_found', {
    message: `Unknown source "${echoed(name)}"`,
    hint: 'List them: kashbox sms trust. Add one: kashbox sms learn SENDER',
  });
}

/** Texts that people have approved and that the present formats of the source read. */
async function countApproved(core: Core, db: Db, { source }: CompiledSource): Promise<number> {
  const engine = await core.smsEngine();
  const texts = await approvedTexts(db, source.name, MOST_APPROVED);
  return texts.filter(({ sender, body, received_at: receivedAtMs }) => {
    const reading = parseSms(engine, { sender, body, receivedAtMs });
    return reading.source === source.name && reading.format !== null && reading.credit;
  }).length;
}

interface SourceFacts {
  readonly compiled: CompiledSource;
  readonly trust: SmsTrustTable | undefined;
  readonly read: number;
  readonly unread: number;
  readonly approved: number;
}

export type SourceView = ReturnType<typeof sourceView>;

export const sourceView = defineView<SourceFacts>()(() => ({
  name: ({ compiled }) => compiled.source.name,
  title: ({ compiled }) => compiled.source.title,
  senders: ({ compiled }) => compiled.source.senders,
  channel: ({ compiled }) => compiled.source.channel,
  /** Null: the only account on that channel. */
  account: ({ compiled }) => compiled.source.account,
  /** Stored texts that a format reads, those that were approved, and money in an unknown wording. */
  read: ({ read }) => read,
  approved: ({ approved }) => approved,
  unread: ({ unread }) => unread,
  /** `lapsed`: its file has changed since. */
  trust: ({ trust, compiled }) =>
    trust === undefined ? 'none' : trust.stamp === compiled.stamp ? 'trusted' : 'lapsed',
  trusted_at: ({ trust }) => isoOrNull(trust?.trusted_at ?? null),
}));

/** Lists the sources of the operator's files. */
export async function listSources(core: Core): Promise<SourceView[]> {
  const sources = await loadSources(core);
  return core.store.read(async (db) => {
    const counts = new Map((await countTexts(db)).map((count) => [count.name, count]));
    const trust = new Map((await listTrust(db)).map((row) => [row.name, row]));
    const views: SourceView[] = [];
    for (const [name, compiled] of sources) {
      const { read = 0, unread = 0 } = counts.get(name) ?? {};
      const approved = await countApproved(core, db, compiled);
      views.push(sourceView({ compiled, trust: trust.get(name), read, unread, approved }));
    }
    return views.sort((one, other) => one.name.localeCompare(other.name));
  });
}

async function requireView(core: Core, name: string): Promise<SourceView> {
  const view = (await listSources(core)).find((one) => one.name === name);
  if (view === undefined) throw unknownSource(name);
  return view;
}
