/**
 * Parses templates of format files to a tree and writes it as a regular expression.
 *
 * The language: a letter matches itself; a space matches one space or line break; `[…]` is optional; `(a|b)`
 * is a choice; `{slot}` is a value; after `\` a sign matches itself. It has no repetition, so a pattern
 * matches texts of limited length only.
 */
import type { KashboxError } from '../../base/errors/errors.js';
import type { Role, Slot } from '../../domain/wallets/format.js';
import { findSlot } from './slots.js';

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'slot'; readonly name: string; readonly slot: Slot }
  | { readonly kind: 'group'; readonly optional: boolean; readonly choices: readonly Template[] };

export type Template = readonly TemplatePart[];

type FaultMaker = (what: string) => KashboxError;

/** @param fault makes the error for a fault. @throws what `fault` returns. */
export function parseTemplate(text: string, fault: FaultMaker): Template {
  const [parts, end] = parseUntil(text, 0, '', fault);
  if (end < text.length) throw fault(`an unexpected ${text.charAt(end)}`);
  return parts;
}

/** @param closing sign that ends this part; empty for the complete text. @returns the position of the end. */
function parseUntil(text: string, from: number, closing: string, fault: FaultMaker): [Template, number] {
  const parts: TemplatePart[] = [];
  let literal = '';
  const flush = () => {
    if (literal !== '') parts.push({ kind: 'text', text: literal });
    literal = '';
  };
  let index = from;
  for (; index < text.length; index++) {
    const char = text.charAt(index);
    if (char === '\\') {
      index++;
      if (index === text.length) throw fault('a \\ at the end');
      literal += text.charAt(index);
    } else if (char === '{') {
      const end = text.indexOf('}', index);
      if (end < 0) throw fault('a { that is not closed');
      const name = text.slice(index + 1, end);
      const slot = findSlot(name);
      if (slot === undefined) throw fault(`no slot is called {${name}}`);
      flush();
      parts.push({ kind: 'slot', name, slot });
      index = end;
    } else if (char === '[' || char === '(') {
      flush();
      const [group, end] = parseGroup(text, index, fault);
      parts.push(group);
      index = end;
    } else if (char === ']' || char === ')' || (char === '|' && closing === ')')) break;
    else literal += char;
  }
  flush();
  return [parts, index];
}

function parseGroup(text: string, from: number, fault: FaultMaker): [TemplatePart, number] {
  const opening = text.charAt(from);
  const closing = opening === '[' ? ']' : ')';
  const choices: Template[] = [];
  let end = from;
  do {
    const [choice, until] = parseUntil(text, end + 1, closing, fault);
    choices.push(choice);
    end = until;
  } while (text.charAt(end) === '|' && closing === ')');
  if (end >= text.length) throw fault(`a ${opening} that is not closed`);
  if (text.charAt(end) !== closing) throw fault(`an unexpected ${text.charAt(end)}`);
  return [{ kind: 'group', optional: opening === '[', choices }, end];
}

/**
 * @param roles is filled with the role of each capture group, in order.
 * @param fault makes the error for a fault. @throws what `fault` returns.
 */
export function writePattern(template: Template, roles: Role[], fault: FaultMaker): string {
  return template.map((part) => writePart(part, roles, fault)).join('');
}

function writePart(part: TemplatePart, roles: Role[], fault: FaultMaker): string {
  switch (part.kind) {
    case 'text':
      return part.text.replace(/[\\^$.*+?|{}()[\]/-]/g, '\\$&').replaceAll(' ', '[ \\n]');
    case 'slot': {
      const { role, source } = part.slot;
      if (role === null) return `(?:${source})`;
      if (role !== 'skipped' && roles.includes(role)) throw fault(`{${part.name}} stands twice`);
      roles.push(role);
      return `(${source})`;
    }
    case 'group': {
      const choices = part.choices.map((choice) => writePattern(choice, roles, fault));
      return `(?:${choices.join('|')})${part.optional ? '?' : ''}`;
    }
    default:
      return part satisfies never;
  }
}

/** Writes words as a template that matches them: signs of the language are escaped. */
export function literalTemplate(words: string): string {
  return words.replace(/[\\[\](){}|]/g, '\\$&').replaceAll('\n', ' ');
}
