/** Reads server-sent events out of text as it arrives (WHATWG HTML, "Interpreting an event stream"). */

/** Longer lines are not ours; they are dropped and never gathered. */
const MAX_LINE = 4_096;

export class EventText {
  readonly #onEvent: (name: string) => void;
  #rest = '';
  #tooLong = false;
  #name = '';

  /** `onEvent` is told the name of each event that ends with an empty line; its data decides nothing here. */
  constructor(onEvent: (name: string) => void) {
    this.#onEvent = onEvent;
  }

  push(text: string): void {
    const lines = (this.#rest + text).split('\n');
    this.#rest = lines.pop() ?? '';
    for (const line of lines) {
      if (!this.#tooLong && line.length <= MAX_LINE) this.#line(line.replace(/\r$/, ''));
      this.#tooLong = false;
    }
    if (this.#rest.length > MAX_LINE) {
      this.#rest = '';
      this.#tooLong = true;
    }
  }

  #line(line: string): void {
    if (line === '') {
      if (this.#name !== '') this.#onEvent(this.#name);
      this.#name = '';
      return;
    }
    const found = /^event:\s?(.*)$/.exec(line);
    if (found !== null) this.#name = found[1] ?? '';
  }
}
