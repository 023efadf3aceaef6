/**
 * The terminal, by blessed: its keys and its size. The only place that imports blessed. Of it only `program`
 * is used and no terminfo: its widgets count the cells of Bangla otherwise than terminals do. Whatever ends
 * the process, the terminal is given back as it was.
 */
import type { ReadStream } from 'node:tty';
import blessed from 'blessed';
import type { Key } from './ask-keys.js';
import { openCanvas } from './canvas.js';
import { openKeyboard } from './keyboard.js';
import type { Size } from './layout.js';
import type { Appearance } from './painter.js';

export type Screen = ReturnType<typeof openScreen>;

interface ScreenEvents {
  onKey(key: Key): void;
  /** The window has another size, or has been written over: show everything again. */
  onChange(): void;
  /** The terminal is not there any more. */
  onGone(): void;
}

/** Takes the terminal of this process over. @param input what the keys come from, a terminal. */
export function openScreen(input: ReadStream, look: Appearance, events: ScreenEvents) {
  const keyboard = openKeyboard(input);
  // Its types know no `false`, and no input that is not a stream.
  const options: object = { input: keyboard.pieces, output: process.stdout, tput: false };
  const program = blessed.program(options);
  const canvas = openCanvas((text) => program.write(text), look);
  const size = (): Size => ({ columns: Math.max(1, program.cols), rows: Math.max(1, program.rows) });
  let isGone = false;
  const gone = () => {
    isGone = true;
    events.onGone();
  };
  const giveBack = () => canvas.leave(isGone ? null : size().rows);
  const redraw = () => {
    if (!canvas.isOurs()) return;
    canvas.clear();
    events.onChange();
  };
  const onContinue = () => {
    input.setRawMode(true);
    canvas.take();
    events.onChange();
  };
  // The last word, also after an error that nobody caught.
  process.once('exit', giveBack);
  process.on('SIGCONT', onContinue);
  process.stdout.on('error', gone);
  input.on('error', gone).on('end', gone);
  program.on('resize', redraw);
  program.on('keypress', (text: string | undefined, key: { readonly full?: string }) => {
    const pressed = keyboard.keyOf(text, key.full ?? '');
    if (pressed?.name === 'C-l') redraw();
    else if (pressed !== null) events.onKey(pressed);
  });
  canvas.take();
  return {
    size,
    show: canvas.show,
    name: canvas.name,
    ring: canvas.ring,
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
      if (isGone) return;
      keyboard.close();
      program.destroy();
    },
  };
}
