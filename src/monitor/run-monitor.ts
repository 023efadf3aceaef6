/**
 * The dashboard while it runs: reads by the clock, ticks every second, answers keys, until somebody ends it.
 * A reading that fails is said and tried again; what was read last stays on the screen.
 */
import type { ReadStream } from 'node:tty';
import { type Clock, dhakaIso } from '../base/values/clock.js';
import { MONTHS } from './age.js';
import { type Details, readDetails } from './details.js';
import { draw, headHeight, shownPanels, shownPlaces } from './draw.js';
import { rowsThatFit } from './draw-panel.js';
import type { Cell } from './frame.js';
import { HELP } from './help.js';
import type { Appearance } from './painter.js';
import { panelsOf } from './panels.js';
import { openScreen, type Screen } from './screen.js';
import { sheetOf } from './sheet.js';
import type { Snapshot, Source } from './snapshot.js';
import { type Effect, FIRST_VIEW, type Key, pressKey, type View } from './view.js';

const SECOND = 1_000;
/** Reading takes at most this part of a processor, as long as the store is not so large that nobody waits. */
const READING_SHARE = 1 / 50;
const LONGEST_PAUSE_MS = 15_000;
/** From then on the screen says that there is no answer. */
const SLOW_MS = 5_000;

export interface MonitorOptions {
  readonly source: Source;
  readonly input: ReadStream;
  readonly look: Appearance;
  readonly clock: Clock;
}

/** Resolves when the operator or a signal has ended it; the terminal is as it was, whatever happened. */
export async function runMonitor(options: MonitorOptions): Promise<void> {
  const monitor = new Monitor(options);
  const end = () => monitor.end();
  const restore = () => monitor.restore();
  const signals = ['SIGINT', 'SIGTERM', 'SIGQUIT'] as const;
  for (const signal of signals) process.on(signal, end);
  process.once('SIGHUP', () => monitor.hangUp());
  // What nobody caught is to be read by a person, on the screen that stays.
  process.on('uncaughtExceptionMonitor', restore);
  try {
    await monitor.run();
  } finally {
    monitor.restore();
    process.removeListener('uncaughtExceptionMonitor', restore);
    for (const signal of signals) process.removeListener(signal, end);
  }
}

class Monitor {
  readonly #source: Source;
  readonly #clock: Clock;
  readonly #screen: Screen;
  #view: View = FIRST_VIEW;
  #snapshot: Snapshot | null = null;
  /** When it was read, milliseconds since the epoch. */
  #readAt: number | null = null;
  /** Since when nothing could be read, and why. */
  #failure: { readonly since: number; readonly message: string } | null = null;
  #readingSince: number | null = null;
  #details: Details | null = null;
  /** Somebody has pressed the key that reads. */
  #isAsked = false;
  #isOver = false;
  #wake: () => void = () => {};
  #tick: NodeJS.Timeout | undefined;

  constructor({ source, input, look, clock }: MonitorOptions) {
    this.#source = source;
    this.#clock = clock;
    this.#screen = openScreen(input, look, {
      onKey: (key) => this.#press(key),
      onChange: () => this.#render(),
      onGone: () => this.hangUp(),
    });
  }

  async run(): Promise<void> {
    this.#everySecond();
    while (!this.#isOver) {
      // The first reading opens the store, which the next ones do not.
      const isFirst = this.#snapshot === null;
      const began = process.cpuUsage();
      await this.#read();
      const { user, system } = process.cpuUsage(began);
      const share = isFirst ? 0 : (user + system) / 1_000 / READING_SHARE;
      await this.#rest(Math.max(this.#source.everyMs, Math.min(share, LONGEST_PAUSE_MS)));
    }
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#tick);
    this.restore();
    this.#wake();
  }

  restore(): void {
    this.#screen.close();
  }

  /**
   * The way in which programs end with their terminal. Node has no other: whatever else it does at its end,
   * it sets the terminal's modes, and aborts where there is no terminal any more.
   */
  hangUp(): void {
    this.end();
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }

  /** Until the next reading is due, or asked for, or all is over. */
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

  /** On the second, so that what ticks does so evenly. */
  #everySecond(): void {
    if (this.#isOver) return;
    this.#render();
    const toNext = SECOND - (this.#clock.now() % SECOND);
    this.#tick = setTimeout(() => this.#everySecond(), toNext);
  }

  async #read(): Promise<void> {
    this.#readingSince = this.#clock.now();
    // What was asked for is shown at once; the rest at the next second, when all is drawn anyway.
    const isAwaited = this.#snapshot === null || this.#failure !== null || this.#isAsked;
    this.#isAsked = false;
    try {
      // The operator does not wait for a store that does not answer.
      const snapshot = await Promise.race([this.#source.read(), this.#ended()]);
      if (snapshot === null) return;
      this.#snapshot = snapshot;
      this.#readAt = this.#clock.now();
      this.#failure = null;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#failure = { since: this.#failure?.since ?? this.#clock.now(), message };
    } finally {
      this.#readingSince = null;
    }
    if (isAwaited) this.#render();
    // What is open ages like everything else.
    if (this.#failure === null) await Promise.race([this.#readDetails(), this.#ended()]);
  }

  #ended(): Promise<null> {
    return new Promise((resolve) => {
      this.#wake = () => {
        if (this.#isOver) resolve(null);
      };
    });
  }

  #press(key: Key): void {
    if (this.#isOver) return;
    const { view, effect } = pressKey(this.#view, key, this.#around());
    this.#view = view;
    this.#do(effect);
    this.#render();
  }

  #around() {
    const size = this.#screen.size();
    const panels = this.#panels();
    const shown = panels === null ? [] : shownPanels(panels, this.#view);
    const head = { status: this.#status(), size };
    const places = shownPlaces({ panels, view: this.#view, ...head });
    const place = places.find(({ id }) => id === this.#view.panel);
    const panel = shown.find(({ id }) => id === this.#view.panel);
    const isText = this.#view.mode.kind === 'help' || this.#view.mode.kind === 'details';
    const rows = panel === undefined || place === undefined ? 1 : rowsThatFit(panel, place.height);
    const lines = this.#view.mode.kind === 'help' ? HELP.length : (this.#detailLines()?.length ?? 0);
    return { panels: shown, page: Math.max(1, isText ? size.rows - headHeight(head) - 2 : rows), lines };
  }

  #do(effect: Effect): void {
    switch (effect) {
      case 'none':
        return;
      case 'read':
        this.#isAsked = true;
        this.#wake();
        return;
      case 'open':
        void this.#open();
        return;
      case 'suspend':
        this.#screen.suspend();
        return;
      case 'end':
        this.end();
        return;
      default:
        effect satisfies never;
    }
  }

  /** What the panel knows at once; what the store knows besides, when it has answered. */
  async #open(): Promise<void> {
    const { mode } = this.#view;
    const thing = this.#openRow();
    if (mode.kind !== 'details' || thing === null) return;
    if (this.#details?.key !== mode.key) this.#details = { key: mode.key, thing, note: null };
    await this.#readDetails();
  }

  async #readDetails(): Promise<void> {
    const { panel, mode } = this.#view;
    const last = this.#details;
    if (mode.kind !== 'details' || last?.key !== mode.key) return;
    const known = { panel, key: mode.key, row: this.#openRow(), last: last.thing };
    const details = await readDetails(this.#source, known);
    // Meanwhile something else may have been opened.
    if (this.#details?.key !== details.key) return;
    this.#details = details;
    this.#render();
  }

  /** What the panel of the open thing says of it; null where it says nothing any more. */
  #openRow(): object | null {
    const { panel: id, mode } = this.#view;
    const panel = this.#panels()?.find((one) => one.id === id);
    return panel?.rows.find(({ key }) => mode.kind === 'details' && key === mode.key)?.thing ?? null;
  }

  #panels() {
    return this.#snapshot === null ? null : panelsOf(this.#snapshot, this.#clock.now());
  }

  #detailLines() {
    const { mode } = this.#view;
    if (mode.kind !== 'details' || this.#details?.key !== mode.key) return null;
    const { thing, note } = this.#details;
    return sheetOf(note === null ? thing : { note, ...thing }, this.#screen.size().columns);
  }

  #render(): void {
    if (this.#isOver) return;
    this.#screen.show(
      draw({
        panels: this.#panels(),
        view: this.#view,
        size: this.#screen.size(),
        title: `Kashbox  ${dateText(this.#clock.now())}`,
        status: this.#status(),
        details: this.#detailLines(),
      }),
    );
  }

  #status(): Cell {
    const now = this.#clock.now();
    const alarm = (text: string): Cell => ({ text: `${timeText(now)}  ${text}`, tone: 'alarm' });
    if (this.#failure !== null) {
      const { since, message } = this.#failure;
      return alarm(`Away since ${timeText(since)}, trying again: ${message}`);
    }
    const trouble = this.#snapshot?.shop?.store.trouble ?? null;
    if (trouble !== null) return alarm(`No payment is possible: ${trouble}`);
    const silent = this.#readingSince === null ? 0 : now - this.#readingSince;
    if (silent >= SLOW_MS) {
      return alarm(`No answer from ${this.#source.name} for ${Math.floor(silent / SECOND)}s`);
    }
    const read = this.#readAt === null ? 'reading' : `read ${timeText(this.#readAt)}`;
    return { text: `${this.#source.name}, ${read}`, tone: 'dim' };
  }
}

const timeText = (ms: number) => dhakaIso(ms).slice(11, 19);

function dateText(ms: number): string {
  const iso = dhakaIso(ms);
  const month = MONTHS[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)} ${timeText(ms)}`;
}
