/** What a terminal can show, judged by the environment alone. Pure. */
import type { Appearance, Colours } from './painter.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** Terminals that cannot move a cursor, or not as ECMA-48 has it. */
const NO_SCREEN = /^(dumb|unknown|emacs|vt52|)$/;
const NO_COLOUR = /^(vt|.*-(m|mono)$|sun$)/;
const NO_SECOND_SCREEN = /^(vt|linux|sun|ansi)/;
const BRIGHT =
  /256color|direct|^(xterm|tmux|screen|rxvt|alacritty|foot|konsole|gnome|iterm|vte|contour|ghostty)/;

/** Of tmux under an older name the variable TMUX tells; screen itself does not put a title back. */
const HAS_TITLE = /^(xterm|tmux|rxvt|alacritty|foot|konsole|gnome|iterm|vte|contour|ghostty|putty|st-)/;

export function hasScreen(env: Environment): boolean {
  return !NO_SCREEN.test(env.TERM ?? '');
}

/**
 * Not asked of terminfo: what blessed reads of it is wrong for descriptions of the form that ncurses has
 * written since 2018, and may be missing where one comes from by ssh.
 */
export function appearanceOf(env: Environment): Appearance {
  const term = env.TERM ?? '';
  return {
    colours: coloursOf(term, env),
    unicode: isUtf8(env),
    hasSecondScreen: !NO_SECOND_SCREEN.test(term),
    hasTitle: HAS_TITLE.test(term) || (/^screen/.test(term) && (env.TMUX ?? '') !== ''),
  };
}

/** https://no-color.org */
function coloursOf(term: string, env: Environment): Colours {
  if ((env.NO_COLOR ?? '') !== '' || NO_COLOUR.test(term)) return 0;
  return BRIGHT.test(term) ? 16 : 8;
}

/** The first that is set decides, as in setlocale(3). */
function isUtf8(env: Environment): boolean {
  const locale = [env.LC_ALL, env.LC_CTYPE, env.LANG].find((name) => name !== undefined && name !== '');
  return /utf-?8/i.test(locale ?? '');
}
