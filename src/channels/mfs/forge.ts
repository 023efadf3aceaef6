/**
 * Forged and misleading variants of a genuine text. A format must read none of them; a new one is tried on
 * them before it is written.
 */
import { KashboxError } from '../../base/errors/errors.js';
import { parseSms, type SmsEngine } from './parse.js';
import { parseTemplate, type Template } from './template.js';
import type { SmsReading } from './types.js';

interface Forgery {
  /** What is wrong with the text. */
  readonly what: string;
  readonly sender: string;
  readonly body: string;
}

/** @param template by which the genuine text is read: words are changed where it has words of its own. */
function forge(sender: string, body: string, template: Template): readonly Forgery[] {
  const own = (what: string, forged: string): Forgery => ({ what, sender, body: forged });
  const words = body.split(/(?=[\s])/);
  const longest = literalWord(template);
  const digit = body.search(/\d(?=\D*$)/);
  const withDigit = (sign: string) => body.slice(0, digit) + sign + body.slice(digit + 1);
  return [
    { what: 'another sender', sender: `${sender}1`, body },
    { what: 'a sender in look-alike letters', sender: lookAlike(sender), body },
    own('words before the message', `Fwd: ${body}`),
    own('words after the message', `${body} Thanks for the order.`),
    own('a reversal after the message', `${body}. This transaction has been reversed.`),
    own('a reversal before the message', `Reversed: ${body}`),
    own('the message twice', `${body}\n${body}`),
    own(
      "a wallet's message after it",
      `${body} You have received Tk 500.00 from 01711000001. Fee Tk 0.00. Balance Tk 900.00. TrxID DHL60302ZX at 21/08/2026 12:35`,
    ),
    own('a word changed', body.replace(longest, `${longest.slice(0, -1)}qx`)),
    own('the last word missing', words.slice(0, -1).join('')),
    own('a look-alike letter', body.replace(longest, lookAlike(longest))),
    own('a digit of another script', withDigit('٣')),
  ];
}

/** The longest word of the template's own. */
function literalWord(template: Template): string {
  const own = template.flatMap((part) => (part.kind === 'text' ? [part.text] : [])).join('{}');
  const words = own.match(/(?<![\p{L}\p{N}])\p{L}+(?![\p{L}\p{N}])/gu) ?? [];
  return words.reduce((one, other) => (other.length > one.length ? other : one), '');
}

const LOOK_ALIKES: Readonly<Record<string, string>> = { a: 'а', A: 'А', e: 'е', E: 'Е', o: 'о', O: 'О' };
const MORE: Readonly<Record<string, string>> = { B: 'В', T: 'Т', K: 'К', p: 'р', c: 'с', i: 'і', y: 'у' };

function lookAlike(word: string): string {
  const like = { ...MORE, ...LOOK_ALIKES };
  const at = [...word].findIndex((char) => like[char] !== undefined);
  return at < 0 ? `${word}\u0301` : word.slice(0, at) + like[word.charAt(at)] + word.slice(at + 1);
}

/** True if nothing but the kind of text speaks against it. */
export function isReadClean({ format, settle, reasons }: SmsReading, formats: ReadonlySet<string>): boolean {
  const isOwn = format !== null && formats.has(format) && settle !== 'never';
  return isOwn && reasons.every((reason) => reason === 'kind_needs_person' || reason === 'source_untrusted');
}

/** @returns the forgeries that one of these formats reads as money. */
export function forgeriesRead(
  engine: SmsEngine,
  formats: ReadonlySet<string>,
  genuine: { readonly sender: string; readonly body: string; readonly template: string },
): { readonly tried: number; readonly read: readonly string[] } {
  const template = parseTemplate(
    genuine.template,
    (what) => new KashboxError('config_invalid', { message: what }),
  );
  const forged = forge(genuine.sender, genuine.body, template);
  const read = forged.filter(({ sender, body }) =>
    isReadClean(parseSms(engine, { sender, body, receivedAtMs: null }), formats),
  );
  return { tried: forged.length, read: read.map(({ what }) => what) };
}
