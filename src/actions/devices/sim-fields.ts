/** The SIMs of a phone as an operator types them. */
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits } from '../../base/values/text.js';
import { mobileField } from '../input/fields.js';
import type { SimView } from './device-view.js';

const MAX_SLOT = 8;

/** @param texts `1=01712345678`, one for each SIM. @throws KashboxError `invalid_input` */
export function simFields(texts: readonly string[]): SimView[] {
  const sims = texts.map((text) => {
    const [, slot = '', number = ''] = /^\s*(\d)\s*=(.*)$/.exec(asciiDigits(text)) ?? [];
    if (slot < '1' || slot > String(MAX_SLOT)) {
      refuse(
        `sim "${text}" does not name slot and number`,
        'Write the slot, an equals sign and the number of the SIM in it: --sim 1=01712345678',
      );
    }
    return { slot: Number(slot), number: mobileField('sim', number) };
  });
  if (sims.length === 0 || new Set(sims.map((sim) => sim.slot)).size < sims.length) {
    refuse(
      sims.length === 0 ? 'sim is missing' : 'sim names one slot twice',
      'Give --sim once for each SIM in the phone: --sim 1=01712345678 --sim 2=01812345678',
    );
  }
  return sims;
}
