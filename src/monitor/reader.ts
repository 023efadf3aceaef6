/**
 * Reads snapshots periodically until it is stopped, and keeps the last one. A failed reading is reported and
 * retried. Knows no window and no keys.
 */
import { isKashboxError } from '../base/errors/errors.js';
import { type Clock, dhakaIso } from '../base/values/clock.js';
import type { Cell } from './frame.js';
import { daemonGone, type TimedSnapshot } from './news.js';
import type { PanelId } from './panel.js';
import type { SnapshotSource } from './snapshot.js';

const SECOND = 1_000;
/** Reading takes at most this part of a processor, as long as the store is not so large that nobody waits. */
const READING_SHARE = 1 / 50;
const LONGEST_PAUSE_MS = 15_000;
/** Duration without an answer after which the status reports it, ms. */
const SLOW_MS = 5_000;

interface ReaderEvents {
  /** @param isAwaited true for the first reading, the first after a failure, or a requested one. */
  onRead(before: TimedSnapshot | null, isAwaited: boolean): void;
  /** Loads additional data after a successful reading. */
  readMore(): Promise<void>;
}

export class Reader {
  readonly #source: SnapshotSource;
  readonly #clock: Clock;
  readonly #events: ReaderEvents;
  #last: TimedSnapshot | null = null;
  /** Error of the last reading, and the start of the failure in ms since the epoch; null after a success. */
  #failure: { readonly since: number; readonly message: string } | null = null;
  #readingSince: number | null = null;
  /** True if a reading was requested. */
  #isAsked = false;
  #isOver = false;
  #wake: () => void = () => {};

  constructor(source: SnapshotSource, clock: Clock, events: ReaderEvents) {
    this.#source = source;
    this.#clock = clock;
    this.#events = events;
  }

  /** Last successful reading; null before the first one. */
  get last(): TimedSnapshot | null {
    return this.#last;
  }

  /** The store does not answer. */
  get isAway(): boolean {
    return this.#failure !== null;
  }

  async run(): Promise<void> {
    while (!this.#isOver) {
      // The first reading opens the store, which the next ones do not.
      const isFirst = this.#last === null;
      const began = process.cpuUsage();
      await this.#read();
      const { user, system } = process.cpuUsage(began);
      const share = isFirst ? 0 : (user + system) / 1_000 / READING_SHARE;
      await this.#rest(Math.max(this.#source.everyMs, Math.min(share, LONGEST_PAUSE_MS)));
    }
  }

  readNow(): void {
    this.#isAsked = true;
    this.#wake();
  }

  end(): void {
    this.#isOver = true;
    this.#wake();
  }

  /** Waits until the next reading is due or requested, or the reader is stopped. */
  async #rest(ms: number): Promise<void> {
    if (this.#isOver || this.#isAsked) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  async #read(): Promise<void> {
    this.#readingSince = this.#clock.now();
    // What was asked for is shown at once; the rest at the next second, when all is drawn anyway.
    const isAwaited = this.#last === null || this.#failure !== null || this.#isAsked;
    this.#isAsked = false;
    const before = this.#last;
    try {
      // The operator does not wait for a store that does not answer.
      const snapshot = await Promise.race([this.#source.read(), this.#ended()]);
      if (snapshot === null) return;
      this.#last = { snapshot, at: this.#clock.now() };
      this.#failure = null;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#failure = { since: this.#failure?.since ?? this.#clock.now(), message };
    } finally {
      this.#readingSince = null;
    }
    this.#events.onRead(before, isAwaited);
    if (this.#failure === null) await Promise.race([this.#events.readMore(), this.#ended()]);
  }

  #ended(): Promise<null> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (this.#isOver) resolve(null);
      };
    });
  }

  status(): Cell {
    const now = this.#clock.now();
    const alarm = (text: string): Cell => ({ text: `${timeText(now)}  ${text}`, tone: 'alarm' });
    if (this.#failure !== null) {
      const { since, message } = this.#failure;
      return alarm(`Away since ${timeText(since)}, trying again: ${message}`);
    }
    const problem = this.#last?.snapshot.shop?.store.problem ?? null;
    if (problem !== null) return alarm(`No payment is possible: ${problem}`);
    const silent = this.#readingSince === null ? 0 : now - this.#readingSince;
    if (silent >= SLOW_MS) {
      return alarm(`No answer from ${this.#source.name} for ${Math.floor(silent / SECOND)}s`);
    }
    const gone = this.#last === null ? null : daemonGone(this.#last.snapshot, now);
    if (gone !== null) return alarm(goneText(gone));
    const read = this.#last === null ? 'reading' : `read ${timeText(this.#last.at)}`;
    return { text: `${this.#source.name}, ${read}`, tone: 'dim' };
  }
}

function goneText({ lastAt }: NonNullable<ReturnType<typeof daemonGone>>): string {
  const since =
    lastAt === null ? 'No daemon has run yet' : `No daemon is running; last heartbeat at ${timeText(lastAt)}`;
  return `${since}. Until one is started (kashbox daemon), no payment or SMS is received.`;
}

/** `12:35:04` in Bangladesh time. */
export const timeText = (ms: number) => dhakaIso(ms).slice(11, 19);

export interface Details {
  readonly key: string;
  readonly thing: object;
  /** Warning for the operator about outdated data; null if there is none. */
  readonly note: string | null;
}

/** Known data of the open row, before its details are loaded. */
interface OpenThing {
  readonly panel: PanelId;
  readonly key: string;
  /** Current row in the panel; null if it is no longer there. */
  readonly row: object | null;
  /** Data shown last. */
  readonly last: object;
}

const GONE = 'It is not in the list any more. This was read last.';

/** Never throws; a failure is reported in the note. */
export async function loadDetails(
  source: SnapshotSource,
  { panel, key, row, last }: OpenThing,
): Promise<Details> {
  const known = row ?? last;
  try {
    const more = await source.details(panel, key);
    if (more !== null) return { key, thing: more, note: null };
  } catch (error) {
    const isGone = isKashboxError(error) && error.exit === 3;
    if (!isGone) return { key, thing: known, note: `The rest could not be read: ${errorMessage(error)}` };
  }
  return { key, thing: known, note: row === null ? GONE : null };
}

export const errorMessage = (error: unknown) => (error instanceof Error ? error.message : String(error));
