/**
 * Makes one spelling of the many that phones, carriers and forwarders make of the same text, without ever
 * changing what it says. What it had to repair is reported, because a repaired number is a doubtful number.
 */

export interface NormalText {
  /** One space or newline where the body had any run of blanks; Bengali digits as ASCII; no ends to trim. */
  readonly text: string;
  /** Positions in `text` that were Bengali digits. */
  readonly bengali: readonly number[];
  /** Positions in `text` before which an invisible character was dropped. */
  readonly dropped: readonly number[];
  /** True if it has characters that no wallet sends and that change what one sees (controls, overrides). */
  readonly hidden: boolean;
}

/** A wallet's longest known text has 250 characters; ten joined SMS have 1,530. */
export const LONGEST_TEXT = 1_600;

const NOTHING: readonly number[] = [];
// One pass, no two ways to match: what nearly every SMS looks like needs no repairing.
const PLAIN = /^[!-~]+(?:[ \n][!-~]+)*$/;

type Class = 'keep' | 'space' | 'newline' | 'drop' | 'hidden' | 'bengali';

/** Classes of the characters that are not printable ASCII. */
function classOf(code: number): Class {
  if (code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029) return 'newline';
  if (code === 0x20 || code === 0x09 || code === 0xa0 || code === 0x202f || code === 0x3000) return 'space';
  if ((code >= 0x2000 && code <= 0x200a) || code === 0x205f || code === 0x1680) return 'space';
  if ((code >= 0x200b && code <= 0x200f) || code === 0xfeff || code === 0xad) return 'drop';
  if (code >= 0x09e6 && code <= 0x09ef) return 'bengali';
  // Controls, bidi embeddings and overrides, word joiners, interlinear marks, non-characters.
  if (code < 0x20 || (code >= 0x7f && code < 0xa0) || code === 0x061c || code === 0x034f) return 'hidden';
  if ((code >= 0x202a && code <= 0x202e) || (code >= 0x2060 && code <= 0x206f)) return 'hidden';
  return code >= 0xfff0 && code <= 0xffff ? 'hidden' : 'keep';
}

/** True for an unpaired surrogate: the text is damaged, and UTF-8 would change it. */
function isLoneSurrogate(body: string, index: number): boolean {
  const code = body.charCodeAt(index);
  if (code < 0xd800 || code > 0xdfff) return false;
  const pair = code < 0xdc00 ? body.charCodeAt(index + 1) : body.charCodeAt(index - 1);
  return code < 0xdc00 ? !(pair >= 0xdc00 && pair <= 0xdfff) : !(pair >= 0xd800 && pair <= 0xdbff);
}

/** @param body as received; the caller has bounded its length. */
export function normalise(body: string): NormalText {
  if (PLAIN.test(body)) return { text: body, bengali: NOTHING, dropped: NOTHING, hidden: false };
  let text = '';
  let blank = '';
  let hidden = false;
  const bengali: number[] = [];
  const dropped: number[] = [];
  for (let index = 0; index < body.length; index++) {
    const code = body.charCodeAt(index);
    const kind = code > 0x20 && code < 0x7f ? 'keep' : classOf(code);
    if (kind === 'newline') blank = '\n';
    else if (kind === 'space') blank = blank === '' ? ' ' : blank;
    else if (kind === 'drop') {
      if (blank === '') dropped.push(text.length);
    } else {
      if (blank !== '' && text !== '') text += blank;
      blank = '';
      if (kind === 'bengali') bengali.push(text.length);
      if (kind === 'hidden' || isLoneSurrogate(body, index)) hidden = true;
      text += kind === 'bengali' ? String.fromCharCode(code - 0x09e6 + 0x30) : body[index];
    }
  }
  return { text, bengali, dropped, hidden };
}

/** Cyrillic, Greek and Latin letters, each followed by the ASCII letter that it looks like. */
const LOOK_ALIKES =
  'АA ВB СC ЕE НH ІI ЈJ КK МM ОO РP ЅS ТT ХX УY аa еe іi јj кk оo рp сc уy хx ѕs ԁd һh ' +
  'ΑA ΒB ΕE ΖZ ΗH ΙI ΚK ΜM ΝN ΟO ΡP ΤT ΥY ΧX αa οo νv ιi κk ρp ıi ɡg ӀI ԛq ԝw';
const LOOK_ALIKE = new Map(LOOK_ALIKES.split(' ').map((pair) => [pair.charAt(0), pair.charAt(1)]));

const NOTHING_MASKED = /^[ -~\n]*$/;

/** Characters that are not displayed. */
const HIDDEN =
  /\u034f|[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u202a-\u202e\u2060-\u206f\ufff0-\uffff]/g;

/**
 * Maximum length of an unmasked text: NFKC expands one character to up to 18, which slows the search for
 * imitations. Four times the longest text contains any tail or reference completely: nothing hides after it.
 */
const LONGEST_UNMASKED = 4 * LONGEST_TEXT;

/** First code points of the other decimal digits that phones of the region can type. */
const OTHER_ZEROS = [0x0660, 0x06f0, 0x0966, 0x0ae6, 0x0be6, 0x0e50];

/**
 * Converts look-alike letters and foreign digits to Latin, as a person reads them. Only used to find out what
 * a suspicious text imitates; a result that needs this must never settle automatically.
 */
export function unmask(text: string): string {
  if (NOTHING_MASKED.test(text)) return text;
  let plain = '';
  for (const char of text.replace(HIDDEN, '').normalize('NFKC').slice(0, LONGEST_UNMASKED)) {
    const code = char.charCodeAt(0);
    const zero = code < 0x80 ? undefined : OTHER_ZEROS.find((first) => code >= first && code <= first + 9);
    plain += zero === undefined ? (LOOK_ALIKE.get(char) ?? char) : String(code - zero);
  }
  return plain;
}
