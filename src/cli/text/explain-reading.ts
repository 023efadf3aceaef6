/** Explains how an SMS was parsed, and why it does or does not count as money: in full, or in one line. */
import { dhakaText } from '../../base/values/clock.js';
import { formatTaka } from '../../base/values/money.js';
import { KIND_TEXTS, REASON_TEXTS, type SmsReading } from '../../channels/mfs/index.js';
import { CHANNEL } from '../../domain/accounts/channels.js';

/** @returns lines to print. */
export function explainReading(reading: SmsReading): readonly string[] {
  const { channel, kind } = reading;
  const of = channel === null ? 'Not from a known wallet' : `${CHANNEL[channel].name.en} (${channel})`;
  return [
    `${of}: ${KIND_TEXTS[kind]}.`,
    ...valuesOf(reading).map(([name, value]) => `  ${name.padEnd(16)}${value}`),
    '',
    verdict(reading),
    ...reading.reasons.map((reason) => `  - ${REASON_TEXTS[reason]}`),
  ];
}

function valuesOf(reading: SmsReading): readonly (readonly [string, string])[] {
  const taka = (paisa: number | null): string | null => (paisa === null ? null : `Tk ${formatTaka(paisa)}`);
  const values: readonly (readonly [string, string | null])[] = [
    ['Amount', taka(reading.amountPaisa)],
    ['From', reading.from],
    ['To', reading.payee],
    ['Transaction id', reading.trxId],
    ['Reference', reading.payerReference],
    ['When', reading.at === null ? null : dhakaText(Date.parse(reading.at))],
    ['Fee', taka(reading.feePaisa)],
    ['Balance', taka(reading.balancePaisa)],
    ['Format', reading.format],
  ];
  return values.flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));
}

function verdict({ settle, payee }: SmsReading): string {
  switch (settle) {
    case 'auto':
      return 'It counts as money: a matching payment is completed automatically.';
    case 'review':
      return 'It may be money, but it needs manual review:';
    case 'never':
      return payee === null
        ? 'It does not count as money:'
        : 'It does not count as money that came in. Money sent to a customer may complete a refund:';
    default:
      return settle satisfies never;
  }
}

/** Fields of a parsed SMS that the verdict needs, with the command line's names. */
type CountedSms = Pick<SmsReading, 'channel' | 'kind' | 'settle' | 'reasons'> & {
  readonly amount: string | null;
  readonly trx_id: string | null;
};

/** @returns one line. Nothing in it is a stranger's: no payer and no part of the text. */
export function countsAs({ channel, kind, settle, reasons, amount, trx_id }: CountedSms): string {
  const wallet = channel === null ? null : CHANNEL[channel].name.en;
  const what = [wallet, KIND_TEXTS[kind], amount, trx_id].filter((part) => part !== null).join(', ');
  const because = reasons.map((reason) => REASON_TEXTS[reason]).join(' ');
  switch (settle) {
    case 'auto':
      return `It counts as: ${what}.`;
    case 'review':
      return `It needs manual review: ${what}. ${because}`;
    case 'never':
      return channel === null
        ? `It counts as nothing. ${because}`
        : `It does not count as money: ${what}. ${because}`;
    default:
      return settle satisfies never;
  }
}
