/** A merchant's printed QR code, as an operator gives it (`qr_interbank`): it contains who is paid. */
import { refuse } from '../../base/errors/refuse.js';
import { readPayload } from '../../channels/qr-interbank/emv.js';
import { CODE_DETAILS } from '../../domain/accounts/account-details.js';
import {
  type CheckedAccount,
  detailFields,
  type TypedAccount,
  type TypedDetails,
  typeField,
} from './account-input.js';

const CHANNEL = 'qr_interbank';

/** @throws KashboxError `invalid_input` */
export function checkCode(typed: TypedAccount, details: TypedDetails): CheckedAccount {
  const type = typeField(typed, ['qr']);
  detailFields(CHANNEL, CODE_DETAILS, details);
  const hint = 'Give a picture of the printed code with --qr-image, or its text with --qr-payload.';
  if ((details.qr ?? '') === '') refuse('The QR code is missing', hint);
  // As it was typed: its checksum is over the very bytes, and Bangla has several spellings of one letter.
  const read = readPayload(details.qr ?? '');
  if (!read.ok) refuse(`The QR code cannot be used. ${read.faults.join('. ')}`, hint);
  const { text, merchantName, merchantIds } = read.payload;
  const [number = ''] = merchantIds;
  const said = typed.number?.trim();
  if (said !== undefined && !merchantIds.includes(said)) {
    refuse(`number "${said}" is not in the QR code, which names ${number}`, 'Leave --number away.');
  }
  return {
    account: { channel: CHANNEL, type, number },
    complete: () => ({ qr: text, holder: merchantName }),
  };
}
