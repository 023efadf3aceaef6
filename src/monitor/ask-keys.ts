/** What each key makes of a question: a line editor for its fields, then the confirmation. Pure. */
import { type Ask, type Field, isUnread, MAX_TYPED } from './ask.js';

/** As blessed names keys; `text` is what the key types, empty for none. */
export interface Key {
  readonly name: string;
  readonly text: string;
  /** It came together with the key before it: nobody types so fast. */
  readonly isPasted?: boolean;
}

export type AskStep =
  | { readonly kind: 'stay'; readonly ask: Ask }
  | { readonly kind: 'leave' }
  /** It is confirmed; the ask is running now. */
  | { readonly kind: 'act'; readonly ask: Ask };

export function pressAsk(ask: Ask, key: Key): AskStep {
  const stay = (change: Partial<Ask> = {}): AskStep => ({ kind: 'stay', ask: { ...ask, ...change } });
  // What is being done cannot be called back, and is not done twice.
  if (ask.state.kind === 'running') return stay();
  if (key.name === 'escape') return { kind: 'leave' };
  const field = ask.fields[ask.at];
  return field === undefined ? confirmed(ask, key) : stay(typed(ask, field, key));
}

function confirmed(ask: Ask, key: Key): AskStep {
  const running: Ask = { ...ask, state: { kind: 'running' } };
  // A pasted text may have a line break and a "y" in it.
  if (key.isPasted === true) return { kind: 'stay', ask };
  if (isUnread(ask) && key.name !== 'n' && key.name !== 'backspace') return { kind: 'stay', ask };
  switch (key.name) {
    case 'y':
      return { kind: 'act', ask: running };
    case 'l':
      if (ask.less !== 'offered') return { kind: 'stay', ask };
      return { kind: 'act', ask: { ...running, less: 'accepted' } };
    case 'n':
      return { kind: 'leave' };
    case 'backspace':
      return { kind: 'stay', ask: { ...ask, at: Math.max(0, ask.at - 1) } };
    default:
      return { kind: 'stay', ask };
  }
}

function typed(ask: Ask, field: Field, key: Key): Partial<Ask> {
  const withText = (text: string): Partial<Ask> => ({
    fields: ask.fields.map((one) => (one === field ? { ...one, text } : one)),
    state: { kind: 'asking' },
  });
  switch (key.name) {
    case 'enter':
    case 'linefeed':
      // The line breaks of a pasted text are blanks: only a key that was pressed goes on.
      if (key.isPasted === true) return added(field, ' ', withText);
      if (field.text.trim() !== '') return { at: ask.at + 1, state: { kind: 'asking' } };
      return { state: { kind: 'refused', says: NEEDED[field.name] } };
    case 'backspace':
      if (field.text === '' && ask.at > 0) return { at: ask.at - 1 };
      return withText([...field.text].slice(0, -1).join(''));
    case 'C-u':
      return withText('');
    default:
      return added(field, key.text, withText);
  }
}

function added(field: Field, text: string, withText: (text: string) => Partial<Ask>): Partial<Ask> {
  return text === '' || [...field.text].length >= MAX_TYPED ? {} : withText(field.text + text);
}

const NEEDED: Readonly<Record<Field['name'], string>> = {
  note: 'A note is needed: say in a sentence why. It is kept with the decision.',
  reference: 'The reference is needed: kashbox pushes list --unmatched shows what no payment has used.',
};
