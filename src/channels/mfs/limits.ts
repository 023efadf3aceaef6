/**
 * Limits of an operator's templates: each must have enough words of its own to match one message only, and
 * must not take long on any text. The second is decided by counting steps on the worst texts, never by a
 * clock, so that a file is refused on every machine or on none.
 *
 * Templates have no repetition, so the longest search is the number of ways in which the slots for any words
 * can share a text. Each way costs a step, and only the literal words after a slot end it early. So the
 * worst text repeats those words as often as fits, and cannot match at its end.
 */
import { LONGEST_TEXT } from './normalise.js';
import { widthOfOpenSlot } from './slots.js';
import type { Template, TemplatePart } from './template.js';

const MIN_LITERALS = 8;
const MAX_OPEN_SLOTS = 3;
/** A step is one attempt to match a part; formats that come with Kashbox need a few hundred. */
const MAX_STEPS = 20_000;

/** @returns what is wrong with a template of an operator, as a part of a sentence; null if nothing. */
export function faultOfLimits(template: Template, isCredit: boolean): string | null {
  if (isCredit && !hasRole(template, 'amount')) return 'money that came in needs an {amount}';
  const literals = fewestLiterals(template);
  if (literals < MIN_LITERALS) {
    return `it may match other texts: it needs ${MIN_LITERALS} letters or digits of its own that are not optional, and has ${literals}`;
  }
  const open = openSlots(template);
  if (open.length > MAX_OPEN_SLOTS) {
    return `it has ${open.length} slots that match any words (${open.map((name) => `{${name}}`).join(' ')}), more than ${MAX_OPEN_SLOTS}`;
  }
  if (endsAfter(template, new Set([false])) === null) {
    return 'two slots that match any words have no letter or digit between them';
  }
  return worstTexts(template).some((text) => isSlow(template, text))
    ? `it takes long to compare with some texts, more than ${MAX_STEPS} steps: use fewer slots that match any words`
    : null;
}

const partsOf = (part: TemplatePart): readonly TemplatePart[] =>
  part.kind === 'group' ? part.choices.flat() : [];

function hasRole(template: readonly TemplatePart[], role: string): boolean {
  return template.some((part) =>
    part.kind === 'slot' ? part.slot.role === role : hasRole(partsOf(part), role),
  );
}

const lettersIn = (text: string) => text.replace(/[^\p{L}\p{M}\p{N}]/gu, '').length;

function fewestLiterals(template: Template): number {
  return template.reduce((sum, part) => {
    if (part.kind === 'text') return sum + lettersIn(part.text);
    if (part.kind === 'slot' || part.optional) return sum;
    return sum + Math.min(...part.choices.map(fewestLiterals));
  }, 0);
}

function openSlots(template: readonly TemplatePart[]): string[] {
  return template.flatMap((part) => {
    if (part.kind !== 'slot') return openSlots(partsOf(part));
    return widthOfOpenSlot(part.name) === null ? [] : [part.name];
  });
}

/**
 * @param before whether the text before may end with an open slot; may be both.
 * @returns the same after the template; null if two open slots meet.
 */
function endsAfter(template: Template, before: ReadonlySet<boolean>): ReadonlySet<boolean> | null {
  let state = before;
  for (const part of template) {
    if (part.kind === 'text') {
      if (lettersIn(part.text) > 0) state = new Set([false]);
    } else if (part.kind === 'slot') {
      if (widthOfOpenSlot(part.name) === null) continue;
      if (state.has(true)) return null;
      state = new Set([true]);
    } else {
      const after = new Set(part.optional ? state : []);
      for (const choice of part.choices) {
        const ends = endsAfter(choice, state);
        if (ends === null) return null;
        for (const end of ends) after.add(end);
      }
      state = after;
    }
  }
  return state;
}

/** One of them fits each slot for a value. */
const VALUES = [
  ...['Tk 1.00', '1.00', '21/08/2026 12:35', '31-JUL-26 04:50:30 pm', '06-05-23 @10:15 AM', '06-05-23'],
  ...['2026-08-21 12:35', 'BDT -1.00', 'DM0000', 'bKash', '0171100000'],
];

/** The template as one line of parts, with every optional part and the first of each choice. */
function longestLine(template: Template): TemplatePart[] {
  return template.flatMap((part) => (part.kind === 'group' ? longestLine(part.choices[0] ?? []) : [part]));
}

function worstTexts(template: Template): string[] {
  const line = longestLine(template);
  const literals = line.flatMap((part) => (part.kind === 'text' ? [part.text] : []));
  const text = line.map((part, index) => {
    if (part.kind === 'text') return part.text;
    if (part.kind === 'group') return '';
    const width = widthOfOpenSlot(part.name);
    if (width !== null) return filled(literalAfter(line, index), width);
    const pattern = new RegExp(`^(?:${part.slot.source})$`);
    return VALUES.find((value) => pattern.test(value)) ?? '1.00';
  });
  const repeated = [literals.join(' '), ...literals].map((words) => filled(words, LONGEST_TEXT / 2));
  // Nobody writes such a sign, so a template can match the text but for its end.
  return [text.join('').slice(0, LONGEST_TEXT / 2), ...repeated].map((one) =>
    one.padEnd(LONGEST_TEXT, '\u0000'),
  );
}

const filled = (words: string, length: number) =>
  words === '' ? 'x'.repeat(length) : words.repeat(Math.ceil(length / words.length)).slice(0, length);

function literalAfter(line: readonly TemplatePart[], index: number): string {
  const next = line.slice(index + 1).find((part) => part.kind === 'text');
  return next?.kind === 'text' ? next.text : '';
}

/** Longest part of a value that a regular expression gives back when what follows does not match. */
const GIVEN_BACK = 20;

/** True if a search as regular expressions make it needs more steps than allowed. */
function isSlow(template: Template, text: string): boolean {
  let steps = 0;
  const patterns = new Map<string, RegExp>();
  const endOfValue = (source: string, at: number): number => {
    const pattern = patterns.get(source) ?? new RegExp(source, 'y');
    patterns.set(source, pattern);
    pattern.lastIndex = at;
    return pattern.test(text) ? pattern.lastIndex : -1;
  };
  /** @param then continues after this part. @returns true if the text matches or the steps are used up. */
  const matchAll = (parts: Template, index: number, at: number, then: (at: number) => boolean): boolean => {
    steps += 1;
    if (steps > MAX_STEPS) return true;
    const part = parts[index];
    if (part === undefined) return then(at);
    const next = (end: number) => matchAll(parts, index + 1, end, then);
    if (part.kind === 'text') return startsAt(text, part.text, at) && next(at + part.text.length);
    if (part.kind === 'group') {
      if (part.choices.some((choice) => matchAll(choice, 0, at, next))) return true;
      return part.optional && next(at);
    }
    const width = widthOfOpenSlot(part.name);
    if (width === null) {
      const end = endOfValue(part.slot.source, at);
      for (let back = end; back > Math.max(at, end - GIVEN_BACK); back -= 1) if (next(back)) return true;
      return false;
    }
    for (let end = at; end <= Math.min(at + width, text.length); end += 1) if (next(end)) return true;
    return false;
  };
  matchAll(template, 0, 0, (end) => end === text.length);
  return steps > MAX_STEPS;
}

function startsAt(text: string, words: string, at: number): boolean {
  return text.startsWith(words, at);
}
