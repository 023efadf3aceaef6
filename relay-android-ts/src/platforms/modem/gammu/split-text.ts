/** How a text becomes the parts of an SMS: as few as can be, without tearing a character. Pure. */
import { headerOf, type OutgoingPart } from './backup-file.js';
import { septetsOf } from './gsm7.js';

/** What gammu sends at most as one SMS, in parts. */
export const MAX_PARTS = 50;

const SEPTETS = { single: 160, part: 153 } as const;
/** Of UTF-16. */
const UNITS = { single: 70, part: 67 } as const;

/** `reference` (0 to 255) is the one that the parts of a long text have in common. */
export function splitText(text: string, reference: number): OutgoingPart[] {
  const isUnicode = [...text].some((character) => septetsOf(character) === null);
  const room = isUnicode ? UNITS : SEPTETS;
  const length = (character: string): number => (isUnicode ? character.length : (septetsOf(character) ?? 1));
  const whole = [...text].reduce((sum, character) => sum + length(character), 0);
  if (whole <= room.single) return [{ text, isUnicode, header: '' }];
  const texts = [''];
  let used = 0;
  for (const character of text) {
    if (used + length(character) > room.part) {
      texts.push('');
      used = 0;
    }
    texts[texts.length - 1] += character;
    used += length(character);
  }
  return texts.map((part, index) => ({
    text: part,
    isUnicode,
    header: headerOf({ reference, of: texts.length, number: index + 1 }),
  }));
}
