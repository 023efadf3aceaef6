/**
 * What is typed, as pieces of which each is one key or plain text, and which keys came with one before them.
 * Knows the terminal only as bytes; what keys are called is decided elsewhere.
 */
import { EventEmitter } from 'node:events';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream } from 'node:tty';
import type { Key } from './ask-keys.js';

/**
 * Behind an Esc that begins no sequence. Where more was typed before it is read, blessed takes an Esc and the
 * key behind it for one with Alt, and drops most of those.
 */
const LONE_ESCAPE = /(?<=\x1b)(?![[ON])/;

/** Control keys type nothing. */
const TYPED = /^[^\p{Cc}]$/u;

/** Takes what is typed, each key at once and unseen. @param input a terminal. */
export function openKeyboard(input: ReadStream) {
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
    /** What blessed reads keys from: as much of a stream as it uses. */
    pieces,
    /** @param name as blessed says it. @returns null for the second name by which it says Enter. */
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
