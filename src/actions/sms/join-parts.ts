/**
 * Joins the parts of a long SMS, which a forwarder may send one by one, each with too little to be money. If
 * together they are a wallet message, it goes to manual review and no rule treats it as money: only the
 * operator knows which parts belong together. Runs in the database transaction that stores the SMS.
 */
import type { SmsReason } from '../../channels/mfs/index.js';
import type { IncomingSms } from '../../domain/sms/incoming-sms.js';
import type { Db, SmsTable } from '../../store/schema/index.js';
import { lockMerchant } from '../../store/tables/locks.js';
import { latestOfSender } from '../../store/tables/sms.js';
import type { PreparedSms } from './prepare-sms.js';

/** Maximum time from first to last part, ms: parts are sent within seconds, but a network may be slow. */
const PARTS_WITHIN_MS = 120_000;
/** An SMS of 160 characters of Bangla has three parts. */
const MOST_PARTS = 4;
const JOINED: SmsReason = 'parts_joined';

type SmsPart = Pick<
  SmsTable,
  'device_id' | 'sender' | 'body' | 'channel' | 'kind' | 'settle' | 'format' | 'reasons'
>;

/** True if the SMS may be the last part to arrive of a long SMS. */
function mayBePart({ row }: Pick<PreparedSms, 'row'>): boolean {
  return row.settle === 'never' && row.device_id !== null && isUnread(row);
}

/** True for a wallet's text that no format parses. A part cut off after an id may itself be suspicious. */
function isUnread({ channel, format, kind, settle }: SmsPart): boolean {
  return channel !== null && format === null && kind !== 'spoofed' && settle !== 'auto';
}

const isJoined = ({ reasons }: SmsPart) => (JSON.parse(reasons) as string[]).includes(JOINED);

/**
 * Replaces SMS that complete earlier parts by the complete text, marked for review.
 * @param prepared the SMS of `messages`, parsed.
 * @param prepare parses another text in place of one of them.
 */
export async function joinParts(
  db: Db,
  messages: readonly IncomingSms[],
  prepared: readonly PreparedSms[],
  prepare: (sms: IncomingSms) => PreparedSms,
): Promise<readonly PreparedSms[]> {
  const [part] = prepared.filter(mayBePart);
  if (part === undefined) return prepared;
  // Of two parts that come at once the later one finds the other.
  await lockMerchant(db, part.row.merchant_id);
  const done = [...prepared];
  for (const [index, item] of prepared.entries()) {
    const sms = messages[index];
    if (sms === undefined || !mayBePart(item)) continue;
    const { merchant_id, device_id, sender, stored_at } = item.row;
    const stored = await latestOfSender(db, {
      ...{ merchant_id, device_id, sender },
      since: stored_at - PARTS_WITHIN_MS,
    });
    const beside = done.slice(0, index).map(({ row }) => row);
    const earlier = [...stored.reverse(), ...beside.filter((row) => row.sender === sender)];
    for (const body of textsOf(earlier, sms.body)) {
      const whole = prepare({ ...sms, body });
      if (whole.row.format === null || whole.proofs.length !== 1) continue;
      done[index] = inDoubt(whole, item.row.dedupe_key);
      break;
    }
  }
  return done;
}

/** @returns what the last part may be the end, or the beginning, of: first with the part that came first. */
function textsOf(earlier: readonly SmsPart[], last: string): string[] {
  const whole = earlier.filter(isJoined);
  const isUsed = ({ body }: SmsPart) => whole.some((one) => one.body.includes(body));
  const parts = earlier.filter((row) => isUnread(row) && !isUsed(row)).map(({ body }) => body);
  const near = parts.slice(1 - MOST_PARTS);
  const runs = near.flatMap((part) => [
    [part, last],
    [last, part],
  ]);
  for (let from = 0; from < near.length - 1; from += 1) runs.push([...near.slice(from), last]);
  // An app may cut off the space at which it has torn the text.
  return runs.flatMap((run) => [run.join(''), run.join(' ')]);
}

/** @param dedupeKey key of the part that has just arrived, which identifies it if it is sent again. */
function inDoubt({ row, proofs, ...rest }: PreparedSms, dedupeKey: string): PreparedSms {
  const reasons = row.settle === 'auto' ? [JOINED] : [...(JSON.parse(row.reasons) as string[]), JOINED];
  return {
    ...rest,
    row: { ...row, dedupe_key: dedupeKey, settle: 'review', reasons: JSON.stringify(reasons) },
    proofs: proofs.map((proof) => ({ ...proof, settle: 'review' })),
  };
}
