/**
 * The terminal, by blessed: its keys, its size, its raw mode. The only place that imports blessed. Of it only
 * `program` is used and no terminfo: its widgets count the cells of Bangla otherwise than terminals do.
 * Whatever ends the process, the terminal is given back as it was.
 */
import type { ReadStream } from 'node:tty';
import blessed from 'blessed';
import type { Frame } from './frame.js';
import type { Size } from './layout.js';
import { type Appearance, CLEAR, enterText, leaveText, paintText } from './painter.js';
import type { Key } from './view.js';

export type Screen = ReturnType<typeof openScreen>;

interface ScreenEvents {
  onKey(key: Key): void;
  /** The window has another size, or has been written over: show everything again. */
  onChange(): void;
  /** The terminal is not there any more. */
  onGone(): void;
}

/** Control keys type nothing. */
const TYPED = /^[^\p{Cc}]$/u;

/** Takes the terminal of this process over. @param input what the keys come from, a terminal. */
export function openScreen(input: ReadStream, look: Appearance, events: ScreenEvents) {
  // Its types know no `false`.
  const options: object = { input, output: process.stdout, tput: false };
  const program = blessed.program(options);
  let shown: Frame | null = null;
  let isOurs = false;
  const size = (): Size => ({ columns: Math.max(1, program.cols), rows: Math.max(1, program.rows) });
  const take = () => {
    isOurs = true;
    shown = null;
    program.write(enterText(look));
  };
  let isGone = false;
  const gone = () => {
    isGone = true;
    events.onGone();
  };
  const giveBack = () => {
    if (!isOurs) return;
    isOurs = false;
    if (isGone) return;
    program.write(leaveText(look, size().rows));
  };
  const redraw = () => {
    if (!isOurs) return;
    shown = null;
    program.write(CLEAR);
    events.onChange();
  };
  const onContinue = () => {
    input.setRawMode(true);
    take();
    events.onChange();
  };
  // The last word, also after an error that nobody caught.
  process.once('exit', giveBack);
  process.on('SIGCONT', onContinue);
  process.stdout.on('error', gone);
  input.on('error', gone).on('end', gone);
  program.on('resize', redraw);
  program.on('keypress', (text: string | undefined, key: { readonly full?: string }) => {
    if (key.full === 'C-l') return redraw();
    const isTyped = text !== undefined && TYPED.test(text);
    events.onKey({ name: key.full ?? '', text: isTyped ? text : '' });
  });
  take();
  return {
    size,
    /** Draws what has changed. */
    show(frame: Frame): void {
      if (!isOurs) return;
      const text = paintText(shown, frame, look);
      shown = frame;
      if (text !== '') program.write(text);
    },
    /** Gives the terminal to the shell until somebody brings us back. */
    suspend(): void {
      giveBack();
      input.setRawMode(false);
      process.kill(process.pid, 'SIGTSTP');
    },
    /** Gives it back for good. May be called again. */
    close(): void {
      process.removeListener('exit', giveBack);
      process.removeListener('SIGCONT', onContinue);
      giveBack();
      if (!isGone) program.destroy();
    },
  };
}
