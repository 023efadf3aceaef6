/** Width of text in terminal cells, and functions that fit text to it. Pure; ignores the content. */

/** Signs that take no cell of their own, such as the vowel signs of Bangla above and below the line. */
const ZERO_WIDTH = /[\p{Mn}\p{Me}\p{Cf}]/u;
const DOUBLE_WIDTH =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const ASCII = /^[\x20-\x7e]*$/;

function signWidth(sign: string): number {
  if (ZERO_WIDTH.test(sign)) return 0;
  return DOUBLE_WIDTH.test(sign) ? 2 : 1;
}

/** Cells that a text takes in a terminal, as wcwidth counts them. */
export function textWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const sign of text) width += signWidth(sign);
  return width;
}

/** @param mark replaces the cut part, one cell. @returns at most `width` cells of the text. */
export function cut(text: string, width: number, mark = '…'): string {
  if (textWidth(text) <= width) return text;
  if (width <= 0) return '';
  let kept = '';
  let used = 0;
  for (const sign of text) {
    used += signWidth(sign);
    if (used > width - 1) break;
    kept += sign;
  }
  return `${kept}${mark}`;
}

/** Breaks at spaces, and in JSON after commas, so that no line is wider than `width` cells. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const piece of text.split(/(?<= )|(?<=,)(?=["{])/)) {
    if (line !== '' && textWidth((line + piece).trimEnd()) > width) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += piece;
  }
  return [...lines, line.trimEnd()];
}

export function pad(text: string, width: number, align: 'right' | undefined): string {
  const space = ' '.repeat(Math.max(0, width - textWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** Replaces control characters: others' text must not move the cursor, colour or break lines. */
export function visible(text: string): string {
  return text.replace(/[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu, '\ufffd');
}

/** All of those but tabs, line feeds and CR LF. */
const COMMANDS = /(?!\t|\r?\n)[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Escapes control characters for CSV and JSON, which are for programs but may be shown in a terminal: each
 * becomes `\u001b`, and line feeds stay. In JSON this is the same text.
 */
export function escapedControls(text: string): string {
  return text.replace(COMMANDS, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** Replaces control characters in a table cell and collapses white space into one space. */
export function printable(text: string): string {
  // Most cells, and a dashboard has a thousand of them every second.
  if (ASCII.test(text) && !text.includes('  ')) return text;
  return visible(text.replace(/\s+/g, ' '));
}
