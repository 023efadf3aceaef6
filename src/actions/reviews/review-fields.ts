/** What an operator writes with a decision: the note, and the reference under which the money was found. */
import { KashboxError } from '../../base/errors/errors.js';
import { storableText } from '../../base/values/text.js';
import { channelModule } from '../../channels/index.js';
import { BANK, type PayChannel, QR } from '../../domain/accounts/channels.js';
import { isPushReference, readBankReference } from '../../domain/matching/reference.js';

const MAX_NOTE = 500;

/** @throws KashboxError `invalid_input` */
export function noteField(text: string): string {
  const note = storableText(text.trim());
  const length = [...note].length;
  if (length > 0 && length <= MAX_NOTE) return note;
  throw new KashboxError('invalid_input', {
    message: `note must have 1 to ${MAX_NOTE} characters`,
    hint: 'Say in a sentence why: it is kept with the decision.',
  });
}

/**
 * Of a claim by number an operator says which push it is; of all others but banks the proof says it.
 * @param given null where the operator has named none.
 * @throws KashboxError `invalid_input`
 */
export function referenceField(
  { channel }: { readonly channel: string },
  given: string | null,
): string | null {
  if (given === null) return null;
  if (channel === QR || channel === BANK) return moneyReference(channel, given);
  throw new KashboxError('invalid_input', {
    message: 'reference can be given for bank transfers and bank QR only',
    hint: 'Approve without it: the reference is the one of the proof.',
  });
}

/**
 * @param text under which money stands in the account of that channel: where customers of bank QR give their
 *   number, it is the bank's reference.
 * @returns in the one form in which it is kept.
 * @throws KashboxError `invalid_input`
 */
export function moneyReference(channel: PayChannel, text: string): string {
  const reference = readReference(channel, text);
  if (reference !== null) return reference;
  throw new KashboxError('invalid_input', {
    message: `"${text}" is no reference`,
    hint: REFERENCE_HINTS[channel] ?? 'Write the id that stands in the SMS, as it stands there.',
  });
}

const STATEMENT_HINT = 'Write the letters and digits that stand in the statement, at most 64.';

const REFERENCE_HINTS: Readonly<Partial<Record<PayChannel, string>>> = {
  [BANK]: STATEMENT_HINT,
  [QR]: STATEMENT_HINT,
  exchange_pay: 'Write the order id that stands in the history of the exchange.',
  bep20: 'Write the hash of the transaction: 0x and 64 letters and digits.',
};

function readReference(channel: PayChannel, text: string): string | null {
  if (channel === BANK) return readBankReference(text);
  if (channel === QR) return isPushReference(text.trim()) ? text.trim() : null;
  const read = channelModule(channel)?.readReference(text);
  return read?.outcome === 'id' ? read.reference : null;
}
