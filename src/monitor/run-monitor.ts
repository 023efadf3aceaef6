/**
 * Runs the dashboard until the user or a signal ends it: redraws every second, handles keys, and executes
 * confirmed actions. The last data read stay on the screen.
 */
import type { ReadStream } from 'node:tty';
import type { ReviewInFull } from '../actions/reviews/list-reviews.js';
import { isKashboxError } from '../base/errors/errors.js';
import { type Clock, dhakaIso } from '../base/values/clock.js';
import { type Key, toAct } from './dialog.js';
import { draw, filterPanels, HELP, layoutPanels, measureMargins, rowsThatFit } from './draw.js';
import { formatDetails } from './frame.js';
import { formatTitle, hasNewActivity, type TimedSnapshot } from './news.js';
import type { Appearance } from './painter.js';
import { MONTHS } from './panel.js';
import { buildPanels } from './panels.js';
import { type Details, errorMessage, loadDetails, Reader, timeText } from './reader.js';
import type { SnapshotSource } from './snapshot.js';
import { openScreen, type TerminalScreen } from './terminal-screen.js';
import {
  type ActOutcome,
  askedReview,
  baseMode,
  type Effect,
  FIRST_VIEW,
  pressKey,
  type View,
  withOutcome,
  withReview,
} from './view.js';

const SECOND = 1_000;
/** Duration for which a notice is shown, long enough to read it. */
const NOTICE_MS = 12_000;

interface MonitorOptions {
  readonly source: SnapshotSource;
  readonly input: ReadStream;
  readonly look: Appearance;
  readonly clock: Clock;
  /** True if the terminal rings for new activity. */
  readonly rings: boolean;
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
  readonly #source: SnapshotSource;
  readonly #clock: Clock;
  readonly #screen: TerminalScreen;
  readonly #reader: Reader;
  readonly #rings: boolean;
  #view: View = FIRST_VIEW;
  /** End of the current notice, milliseconds since the epoch. */
  #noticeUntil = 0;
  #details: Details | null = null;
  #isOver = false;
  #tick: NodeJS.Timeout | undefined;

  constructor({ source, input, look, clock, rings }: MonitorOptions) {
    this.#source = source;
    this.#clock = clock;
    this.#rings = rings;
    this.#reader = new Reader(source, clock, {
      onRead: (before, isAwaited) => this.#onRead(before, isAwaited),
      // What is open ages like everything else.
      readMore: () => this.#readDetails(),
    });
    this.#screen = openScreen(input, look, {
      onKey: (key) => this.#press(key),
      onChange: () => this.#render(),
      onGone: () => this.hangUp(),
    });
  }

  async run(): Promise<void> {
    this.#everySecond();
    await this.#reader.run();
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#tick);
    this.restore();
    this.#reader.end();
  }

  restore(): void {
    this.#screen.close();
  }

  /**
   * Ends the program with SIGHUP, as programs end with their terminal. A regular exit of Node restores the
   * terminal's modes, and aborts if the terminal no longer exists.
   */
  hangUp(): void {
    this.end();
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }

  /** Renders at each full second, so that clocks advance evenly. */
  #everySecond(): void {
    if (this.#isOver) return;
    if (this.#clock.now() >= this.#noticeUntil) this.#show({ ...this.#view, notice: null });
    this.#render();
    const toNext = SECOND - (this.#clock.now() % SECOND);
    this.#tick = setTimeout(() => this.#everySecond(), toNext);
  }

  #onRead(before: TimedSnapshot | null, isAwaited: boolean): void {
    const after = this.#reader.last;
    if (this.#rings && after !== null && hasNewActivity(before, after)) this.#screen.ring();
    if (isAwaited) this.#render();
  }

  #press(key: Key): void {
    if (this.#isOver) return;
    const { view, effect } = pressKey(this.#view, key, this.#around());
    this.#show(view);
    this.#do(effect);
    this.#render();
  }

  /** Sets the view without drawing it. */
  #show(view: View): void {
    if (view.notice !== this.#view.notice) this.#noticeUntil = this.#clock.now() + NOTICE_MS;
    this.#view = view;
  }

  #around() {
    const shown = this.#framed();
    const { panels, size, view } = shown;
    const filtered = panels === null ? [] : filterPanels(panels, view);
    const place = layoutPanels(shown).find(({ id }) => id === view.panel);
    const panel = filtered.find(({ id }) => id === view.panel);
    const { kind } = baseMode(view);
    const rows = panel === undefined || place === undefined ? 1 : rowsThatFit(panel, place.height);
    const { above, below } = measureMargins(shown);
    const isText = kind === 'help' || kind === 'details';
    const lines = kind === 'help' ? HELP.length : (this.#detailLines()?.length ?? 0);
    return { panels: filtered, page: Math.max(1, isText ? size.rows - above - below - 1 : rows), lines };
  }

  #do(effect: Effect): void {
    switch (effect) {
      case 'none':
        return;
      case 'read':
        this.#reader.readNow();
        return;
      case 'open':
        void this.#open();
        return;
      case 'act':
        void this.#act();
        return;
      case 'facts':
        void this.#readFacts();
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

  /** Executes the confirmed action. Until it ends the dialog ignores keys, so that it cannot run twice. */
  async #act(): Promise<void> {
    const { mode } = this.#view;
    if (mode.kind !== 'ask') return;
    this.#show(withOutcome(this.#view, await outcomeOf(this.#source.act(toAct(mode.ask)))));
    // Also where it was refused: somebody else may have been faster, or the facts have changed.
    this.#reader.readNow();
    this.#render();
    await this.#readFacts();
  }

  /** Loads the facts of the review in the dialog, which cannot be confirmed before. */
  async #readFacts(): Promise<void> {
    const id = askedReview(this.#view);
    if (id === null) return;
    const read = await this.#source.details('reviews', id).catch(errorMessage);
    if (askedReview(this.#view) !== id) return;
    this.#show(withReview(this.#view, (read ?? 'It is not in the list any more.') as ReviewInFull | string));
    this.#render();
  }

  /** Shows the data of the panel at once, and the details from the store once they are loaded. */
  async #open(): Promise<void> {
    const mode = baseMode(this.#view);
    const thing = this.#openRow();
    if (mode.kind !== 'details' || thing === null) return;
    if (this.#details?.key !== mode.key) this.#details = { key: mode.key, thing, note: null };
    await this.#readDetails();
  }

  async #readDetails(): Promise<void> {
    const mode = baseMode(this.#view);
    const last = this.#details;
    if (mode.kind !== 'details' || last?.key !== mode.key) return;
    const known = { panel: this.#view.panel, key: mode.key, row: this.#openRow(), last: last.thing };
    const details = await loadDetails(this.#source, known);
    // Meanwhile something else may have been opened.
    if (this.#details?.key !== details.key) return;
    this.#details = details;
    this.#render();
  }

  /** Row data of the open details in the panel; null if the row is no longer there. */
  #openRow(): object | null {
    const mode = baseMode(this.#view);
    const panel = this.#panels()?.find(({ id }) => id === this.#view.panel);
    return panel?.rows.find(({ key }) => mode.kind === 'details' && key === mode.key)?.thing ?? null;
  }

  #panels() {
    const { last } = this.#reader;
    return last === null ? null : buildPanels(last.snapshot, this.#clock.now());
  }

  #detailLines() {
    const mode = baseMode(this.#view);
    if (mode.kind !== 'details' || this.#details?.key !== mode.key) return null;
    const { thing, note } = this.#details;
    return formatDetails(note === null ? thing : { note, ...thing }, this.#screen.size().columns);
  }

  #framed() {
    const size = this.#screen.size();
    return { panels: this.#panels(), view: this.#view, size, status: this.#reader.status() };
  }

  #render(): void {
    if (this.#isOver) return;
    const now = this.#clock.now();
    const title = `Kashbox  ${dateText(now)}`;
    this.#screen.show(draw({ ...this.#framed(), title, details: this.#detailLines() }));
    this.#screen.name(formatTitle(this.#reader.last, this.#reader.isAway, now));
  }
}

/** Never throws; a refusal contains the hint of the error. */
async function outcomeOf(acting: Promise<string>): Promise<ActOutcome> {
  try {
    return { kind: 'done', says: await acting };
  } catch (error) {
    if (isKashboxError(error)) return { kind: 'refused', says: `${error.message}. ${error.hint}` };
    return { kind: 'refused', says: error instanceof Error ? error.message : String(error) };
  }
}

function dateText(ms: number): string {
  const iso = dhakaIso(ms);
  const month = MONTHS[Number(iso.slice(5, 7)) - 1] ?? '';
  return `${Number(iso.slice(8, 10))} ${month} ${iso.slice(0, 4)} ${timeText(ms)}`;
}
