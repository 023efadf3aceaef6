/** Adds an SMS that the relay missed. It is processed like any other. */
import { KashboxError } from '../../base/errors/errors.js';
import { parseSms, type SmsReading } from '../../channels/mfs/index.js';
import { parseIncomingSms } from '../../domain/sms/incoming-sms.js';
import type { Core } from '../core/core.js';
import { mobileField } from '../input/fields.js';
import { requireMerchant } from '../input/require-row.js';
import { type SmsAnswer, toAnswer } from './parse-sms-lines.js';
import { takeSms } from './take-sms.js';

interface AddSms {
  /** Identifier or name. */
  readonly merchant: string;
  /** Number of the SIM that received it. */
  readonly recipient: string;
  readonly sender: string;
  readonly text: string;
  /** Milliseconds since the epoch; now if absent. */
  readonly receivedAtMs?: number | undefined;
  /** Operator who typed it in, for the audit log. */
  readonly who: string;
}

interface AddedSms {
  readonly state: 'stored' | 'duplicate';
  /** Sessions completed by it. */
  readonly settled: readonly string[];
  /** Result of parsing the SMS. */
  readonly reading: SmsAnswer & Pick<SmsReading, 'reasons' | 'format'>;
}

/** @throws KashboxError `not_found`, `invalid_input` */
export async function addSms(core: Core, input: AddSms): Promise<AddedSms> {
  const { sender, text, receivedAtMs, who } = input;
  const recipient = mobileField('recipient', input.recipient);
  const message = { id: 'typed', sender, body: text, received_at: receivedAtMs };
  const read = parseIncomingSms(message, core.clock.now());
  if (!read.ok) throw new KashboxError('invalid_input', { message: read.reason });
  const merchant = await core.store.read((db) => requireMerchant(db, input.merchant));
  const { states, settled } = await takeSms(core, {
    merchantId: merchant.id,
    source: { kind: 'manual', who },
    messages: [read.sms],
    recipientOf: () => recipient,
  });
  const reading = parseSms(await core.smsEngine(), read.sms);
  const { reasons, format } = reading;
  return { state: states[0] ?? 'stored', settled, reading: { ...toAnswer(reading), reasons, format } };
}
