/**
 * Converts a frame to terminal sequences, only for what has changed since the last frame. Detects the
 * features of the terminal from the environment alone. Uses only ECMA-48; does not handle keys.
 */
import { blank, type Frame, type Line, type PlacedPiece, type StyledText, type Tone } from './frame.js';

/** Colours that the terminal has: none, the eight of old, or bright ones too. */
type Colours = 0 | 8 | 16;

export interface Appearance {
  readonly colours: Colours;
  /** False: the locale is not UTF-8, and signs beyond ASCII would come out as several. */
  readonly unicode: boolean;
  /** True if the terminal has an alternate screen that preserves the main screen. */
  readonly hasSecondScreen: boolean;
  /** True if the window title can be set and restored. */
  readonly hasTitle: boolean;
}

const CSI = '\u001b[';
const PLAIN = `${CSI}0m`;

/** Parameters of `CSI … m`. Without colours, important text is bold and marked text is reversed. */
const TONES: Readonly<Record<Tone, readonly [none: string, eight: string, sixteen: string]>> = {
  plain: ['', '', ''],
  // Faint, in the terminal's own colour: bright black is the background of Solarized.
  dim: ['', '', '2'],
  title: ['1', '1', '1'],
  focus: ['1', '1;36', '1;36'],
  good: ['', '32', '32'],
  warn: ['1', '33', '33'],
  bad: ['1', '1;31', '1;31'],
  info: ['', '36', '36'],
  selected: ['7', '7', '7'],
  alarm: ['1;7', '1;41;37', '1;41;37'],
};

/**
 * ASCII, rules, bars and a few signs: every terminal gives each of them one cell. About others, such as the
 * letters of Bangla, terminals disagree.
 */
const SURE = /^[\x20-\x7e·–…✓─━│↑↓←→\u2581-\u2593]*$/;

/** The terminal rings once. */
const RING = '\u0007';

/** @param title ASCII of our own: what strangers have written has no place in it. */
const titleText = (title: string) => `\u001b]2;${title}\u001b\\`;

/** The title that was there before, where the terminal keeps it; else none. */
const KEEP_TITLE = `${CSI}22;2t`;
const OLD_TITLE = `${titleText('')}${CSI}23;2t`;

/** Hides the cursor and turns wrapping off: a sign that is wider than we think must not break the line. */
export function enterText(look: Appearance): string {
  const kept = `${look.hasTitle ? KEEP_TITLE : ''}${look.hasSecondScreen ? `${CSI}?1049h` : ''}`;
  return `${kept}${CSI}?25l${CSI}?7l${PLAIN}${CSI}2J`;
}

/** Everything as it was. @param rows of the window. */
export function leaveText(look: Appearance, rows: number): string {
  const back = look.hasSecondScreen ? `${CSI}?1049l` : `${CSI}2J${CSI}${rows};1H`;
  return `${PLAIN}${CSI}?7h${CSI}?25h${back}${look.hasTitle ? OLD_TITLE : ''}`;
}

const CLEAR = `${PLAIN}${CSI}2J`;

/** @param before frame on the screen; null if unknown. */
export function paintText(before: Frame | null, after: Frame, look: Appearance): string {
  const parts = after.map((line, y) => lineChange(before?.[y] ?? null, line, y, look));
  const text = parts.join('');
  return text === '' ? '' : `${text}${PLAIN}`;
}

function lineChange(before: Line | null, after: Line, y: number, look: Appearance): string {
  const isSameCut =
    before !== null && before.length === after.length && after.every((span, at) => sameCut(span, before[at]));
  let text = '';
  // Where the cursor stands for sure, in cells of this line; -1 for anywhere.
  let cursor = -1;
  let isMisaligned = false;
  after.forEach((span, at) => {
    const old = isSameCut ? before[at] : undefined;
    if (!isMisaligned && old !== undefined && old.text === span.text && old.tone === span.tone) return;
    if (cursor !== span.x) text += move(span.x, y);
    const isSure = !look.unicode || SURE.test(span.text);
    text += isSure ? toned(span, look) : `${toned(blank(span.width), look)}${unsure(span, y, look)}`;
    cursor = isSure ? span.x + span.width : -1;
    // A sign drawn wider than expected covers the next cell.
    isMisaligned = !isSure || (old !== undefined && look.unicode && !SURE.test(old.text));
  });
  return text;
}

const sameCut = (span: PlacedPiece, old: PlacedPiece | undefined) =>
  old !== undefined && old.x === span.x && old.width === span.width;

const move = (x: number, y: number) => `${CSI}${y + 1};${x + 1}H`;

/** Writes over cleared cells, so that no old text remains if the terminal draws the text narrower. */
function unsure(span: PlacedPiece, y: number, look: Appearance): string {
  const bare = span.text.trimStart();
  const before = span.text.length - bare.length;
  return `${move(span.x + before, y)}${toned({ ...span, text: bare.trimEnd() }, look)}`;
}

function toned({ text, tone }: StyledText, { colours, unicode }: Appearance): string {
  const [none, eight, sixteen] = TONES[tone];
  const number = colours === 0 ? none : colours === 8 ? eight : sixteen;
  return `${CSI}0${number === '' ? '' : `;${number}`}m${unicode ? text : ascii(text)}`;
}

/** Characters, and below them their ASCII replacements. */
const SIGNS = '─━│·–…✓↑↓←→░▏▎▍▌▋▊▉█▁▂▃▄▅▆▇';
const ASCII = '-=|.-~v^v<>....#####_,-=+*%';
const NO_CELL = /[\p{Mn}\p{Me}\p{Cf}]/u;

/** One sign for one cell; a sign of another script becomes a question mark. */
function ascii(text: string): string {
  let plain = '';
  for (const sign of text) {
    if (sign >= ' ' && sign <= '~') plain += sign;
    else if (!NO_CELL.test(sign)) plain += ASCII[SIGNS.indexOf(sign)] ?? '?';
  }
  return plain;
}

/** Terminals that cannot move a cursor, or not as ECMA-48 has it. */
const NO_SCREEN = /^(dumb|unknown|emacs|vt52|)$/;
const NO_COLOUR = /^(vt|.*-(m|mono)$|sun$)/;
const NO_SECOND_SCREEN = /^(vt|linux|sun|ansi)/;
const BRIGHT =
  /256color|direct|^(xterm|tmux|screen|rxvt|alacritty|foot|konsole|gnome|iterm|vte|contour|ghostty)/;

/** Terminals with a title. Variable TMUX detects tmux under an older name; screen restores no title. */
const HAS_TITLE = /^(xterm|tmux|rxvt|alacritty|foot|konsole|gnome|iterm|vte|contour|ghostty|putty|st-)/;

export function hasScreen(env: NodeJS.ProcessEnv): boolean {
  return !NO_SCREEN.test(env.TERM ?? '');
}

/**
 * Detects terminal features without terminfo: blessed parses descriptions written by ncurses since 2018
 * incorrectly, and the description may be missing after a login by ssh.
 */
export function detectAppearance(env: NodeJS.ProcessEnv): Appearance {
  const term = env.TERM ?? '';
  return {
    colours: coloursOf(term, env),
    unicode: isUtf8(env),
    hasSecondScreen: !NO_SECOND_SCREEN.test(term),
    hasTitle: HAS_TITLE.test(term) || (/^screen/.test(term) && (env.TMUX ?? '') !== ''),
  };
}

/** https://no-color.org */
function coloursOf(term: string, env: NodeJS.ProcessEnv): Colours {
  if ((env.NO_COLOR ?? '') !== '' || NO_COLOUR.test(term)) return 0;
  return BRIGHT.test(term) ? 16 : 8;
}

/** The first that is set decides, as in setlocale(3). */
function isUtf8(env: NodeJS.ProcessEnv): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((name) => name !== undefined && name !== '');
  return /utf-?8/i.test(locale ?? '');
}

/** @param write to the terminal. */
export function openCanvas(write: (text: string) => void, look: Appearance) {
  let isOurs = false;
  let shown: Frame | null = null;
  let named = '';
  return {
    isOurs: () => isOurs,
    take(): void {
      isOurs = true;
      shown = null;
      named = '';
      write(enterText(look));
    },
    /** Clears the screen, so that the next frame is drawn completely. */
    clear(): void {
      shown = null;
      write(CLEAR);
    },
    /** @param rows height of the window; null if the window no longer exists. */
    leave(rows: number | null): void {
      if (isOurs && rows !== null) write(leaveText(look, rows));
      isOurs = false;
    },
    /** Draws what has changed. */
    show(frame: Frame): void {
      if (!isOurs) return;
      const text = paintText(shown, frame, look);
      shown = frame;
      if (text !== '') write(text);
    },
    /** Gives the window that title, where windows have one. */
    name(title: string): void {
      if (!isOurs || !look.hasTitle || title === named) return;
      named = title;
      write(titleText(title));
    },
    ring(): void {
      if (isOurs) write(RING);
    },
  };
}
