/**
 * The terminal, by blessed: its keys and its size. The only place that imports blessed. Of it only `program`
 * is used and no terminfo: its widgets count the cells of Bangla otherwise than terminals do. Whatever ends
 * the process, the terminal is given back as it was.
 */
import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import blessed from 'blessed';
import type { Key } from './dialog.js';
import type { Size } from './layout.js';
import { type Appearance, openCanvas } from './painter.js';

export type TerminalScreen = ReturnType<typeof openScreen>;

interface ScreenEvents {
  onKey(key: Key): void;
  /** The window has another size, or has been written over: show everything again. */
  onChange(): void;
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

/**
 * Position after an Esc that begins no sequence. If more keys arrive in the same read, blessed takes Esc and
 * the next key for an Alt key, and drops most of those.
 */
const LONE_ESCAPE = /(?<=\x1b)(?![[ON])/;

/** Control keys type nothing. */
const TYPED = /^[^\p{Cc}]$/u;

/** Reads keys in raw mode, without echo. @param input a terminal. */
function openKeyboard(input: ReadStream) {
  const pieces = Object.assign(new EventEmitter(), { pause: () => {}, resume: () => {} });
  const decoder = new StringDecoder('utf8');
  let isFirst = true;
  const onData = (chunk: Buffer) => {
    isFirst = true;
    for (const piece of decoder.write(chunk).split(LONE_ESCAPE)) pieces.emit('data', piece);
  };
  input.on('data', onData);
  input.setRawMode(true);
  input.resume();
  return {
    /** Minimal stream from which blessed reads keys. */
    pieces,
    /** @param name key name of blessed. @returns null for `return`, sent in addition to `enter`. */
    keyOf(text: string | undefined, name: string): Key | null {
      if (name === 'return') return null;
      const isPasted = !isFirst;
      isFirst = false;
      return { name, text: text !== undefined && TYPED.test(text) ? text : '', isPasted };
    },
    close(): void {
      input.removeListener('data', onData);
      if (input.isRaw) input.setRawMode(false);
      input.pause();
    },
  };
}
