/** What stands in the window while it is ours, so that only changes are written. Knows nothing of keys. */
import type { Frame } from './frame.js';
import { type Appearance, CLEAR, enterText, leaveText, paintText, RING, titleText } from './painter.js';

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
    /** What stands there is not known any more. */
    clear(): void {
      shown = null;
      write(CLEAR);
    },
    /** @param rows of the window; null where there is none any more. */
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
