/** Finds the transaction ids that a text names, whichever way it labels them. Judges none of them. */
import type { MfsChannel } from '../../domain/accounts/channels.js';
import { WALLET_ID_SHAPE } from '../../domain/matching/reference.js';

const AFTER_LABEL = '\\.?\\s?[:#=-]?\\s?([0-9A-Z*]{8,20}?)(?=[^0-9A-Za-z*]|$|(?:date|balance|comm)\\s?:)';
const LABEL = 't(?:x|xn|rx|rnx|rans(?:action)?)[ ._-]?(?:id|no|number)';
const LABEL_IN_BANGLA = '(?:ট্রানজ(?:ে|্যা)কশন|লেনদেন)\\s?(?:আইডি|নম্বর)';
// A masked id is one that cannot be read, but it shows that the text is whole.
const LABELLED = new RegExp(`${LABEL}${AFTER_LABEL}`, 'gi');
const LABELLED_IN_BANGLA = new RegExp(`(?:${LABEL}|${LABEL_IN_BANGLA})${AFTER_LABEL}`, 'gi');
/** As wallets write them; a number that could be a telephone's or a meter's is none. */
const BARE = /(?<![0-9A-Za-z])(?=[0-9]*[A-Z]|(?!1[3-9])[1-9][0-9]{9}(?![0-9]))[0-9A-Z]{8,10}(?![0-9A-Za-z])/g;

/** @returns every id with a label, as it is written, in order; masked and misshapen ones too. */
export function labelledIds(text: string): string[] {
  const pattern = /[\u0980-\u09ff]/.test(text) ? LABELLED_IN_BANGLA : LABELLED;
  return [...text.matchAll(pattern)].map(([, id = '']) => id);
}

/**
 * @returns every id of the wallet that a text names, in upper case, each once: two where two messages were
 * joined. Where none has a label, those that stand there in the wallet's shape.
 */
export function idsNamedIn(text: string, channel: MfsChannel): string[] {
  const shape = WALLET_ID_SHAPE[channel];
  const labelled = labelledIds(text)
    .map((id) => id.toUpperCase())
    .filter((id) => shape.test(id));
  const found = labelled.length > 0 ? labelled : (text.match(BARE) ?? []).filter((id) => shape.test(id));
  return [...new Set(found)];
}
