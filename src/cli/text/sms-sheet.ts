/** One SMS as lines that a person reads. */
import type { showSms } from '../../actions/sms/list-sms.js';
import { visible } from '../../base/values/cells.js';
import { minute } from '../../base/values/clock.js';
import { KIND_TEXTS, REASON_TEXTS, type SmsReason } from '../../channels/mfs/index.js';
import { sheet } from './table.js';

type Sms = Awaited<ReturnType<typeof showSms>>;

const COUNTS: Readonly<Record<Sms['settle'], string>> = {
  auto: 'yes: a payment that fits is completed by itself',
  review: 'a person must decide',
  never: 'no',
};

const BY: Readonly<Partial<Record<Sms['source'], string>>> = {
  manual: 'typed in by hand',
  played: 'played for a test brand: no money',
};

const SENDER_TYPE_TEXTS: Readonly<Record<NonNullable<Sms['sender_type']>, string>> = {
  alphanumeric: 'a name',
  international: 'a number with country code',
  national: 'a number of this country',
  short_code: 'a short code',
  unknown: 'not known',
};

export function smsSheet(sms: Sms): string[] {
  const kind = Object.entries(KIND_TEXTS).find(([name]) => name === sms.kind)?.[1] ?? sms.kind;
  return [
    ...sheet([
      ['SMS', sms.id],
      ['Sender', sms.sender],
      ['Received', minute(sms.received_at)],
      ['Stored', minute(sms.stored_at)],
      ['By', BY[sms.source] ?? sms.device],
      ['On number', sms.recipient ?? 'the phone did not say which'],
      ['SMS centre', sms.smsc],
      ['Sender type', sms.sender_type === null ? null : SENDER_TYPE_TEXTS[sms.sender_type]],
      ['Read as', sms.channel === null ? kind : `${sms.channel}, ${kind}`],
      ['Amount', sms.amount],
      ['From', sms.from],
      ['Transaction', sms.trx_id],
      ['Fee', sms.fee],
      ['Balance', sms.balance],
      ['Says time', sms.says_at],
      ['Counts', COUNTS[sms.settle]],
      ...sms.reasons.map((reason) => ['Because', REASON_TEXTS[reason as SmsReason]] as const),
      ['Payment', sms.payment ?? 'none'],
      ['Closed', sms.closed],
    ]),
    '',
    ...sms.body.split('\n').map((line) => `  ${visible(line)}`),
  ];
}
