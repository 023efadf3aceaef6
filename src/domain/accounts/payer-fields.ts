/** What a wallet lets its payer write, as far as the SMS of the receiver repeats it. */
import type { Format } from '../wallets/format.js';
import { WALLET } from '../wallets/index.js';
import { KINDS_OF_TYPE, type MfsAccountType, type MfsChannel } from './channels.js';

export interface PayerFields {
  /** A reference, by which the money can name its payment. */
  readonly reference: boolean;
  /** The number of the shop's counter, for which the app asks as well. */
  readonly counter: boolean;
}

/** @returns what a payer to an account of that type can write, by the formats of the wallet's SMS. */
export function payerFields(channel: MfsChannel, type: MfsAccountType): PayerFields {
  const kinds = KINDS_OF_TYPE[type];
  const formats = WALLET[channel].texts.formats.filter(
    ({ kind, settle }) => settle === 'auto' && kinds.includes(kind),
  );
  const repeats = (slot: string) => formats.some((format) => hasSlot(format, slot));
  return { reference: repeats('{ref}'), counter: repeats('{counter}') };
}

const hasSlot = ({ texts }: Format, slot: string) => texts.some((text) => text.includes(slot));
