/**
 * The dashboard while it runs: ticks every second, answers keys, does what was confirmed, until somebody ends
 * it. What was read last stays on the screen.
 */
import type { ReadStream } from 'node:tty';
import type { ReviewInFull } from '../actions/reviews/list-reviews.js';
import { isKashboxError } from '../base/errors/errors.js';
import { type Clock, dhakaIso } from '../base/values/clock.js';
import { actOf, type Key } from './ask.js';
import { draw, HELP, marginsOf, rowsThatFit, shownPanels, shownPlaces } from './draw.js';
import { sheetOf } from './frame.js';
import { isNews, type Read, titleOf } from './news.js';
import type { Appearance } from './painter.js';
import { MONTHS } from './panel.js';
import { panelsOf } from './panels.js';
import { type Details, Reader, readDetails, reasonOf, timeText } from './reader.js';
import { openScreen, type Screen } from './screen.js';
import type { Source } from './snapshot.js';
import {
  askedReview,
  type Effect,
  FIRST_VIEW,
  type Outcome,
  pressKey,
  shownMode,
  type View,
  withOutcome,
  withReview,
} from './view.js';

const SECOND = 1_000;
/** As long as it takes to read what was done. */
const NOTICE_MS = 12_000;

interface MonitorOptions {
  readonly source: Source;
  readonly input: ReadStream;
  readonly look: Appearance;
  readonly clock: Clock;
  /** Whether the terminal rings when something new needs the operator. */
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
  readonly #source: Source;
  readonly #clock: Clock;
  readonly #screen: Screen;
  readonly #reader: Reader;
  readonly #rings: boolean;
  #view: View = FIRST_VIEW;
  /** Until when what was done last is shown, milliseconds since the epoch. */
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
   * The way in which programs end with their terminal. Node has no other: whatever else it does at its end,
   * it sets the terminal's modes, and aborts where there is no terminal any more.
   */
  hangUp(): void {
    this.end();
    process.removeAllListeners('SIGHUP');
    process.kill(process.pid, 'SIGHUP');
  }

  /** On the second, so that what ticks does so evenly. */
  #everySecond(): void {
    if (this.#isOver) return;
    if (this.#clock.now() >= this.#noticeUntil) this.#show({ ...this.#view, notice: null });
    this.#render();
    const toNext = SECOND - (this.#clock.now() % SECOND);
    this.#tick = setTimeout(() => this.#everySecond(), toNext);
  }

  #onRead(before: Read | null, isAwaited: boolean): void {
    const after = this.#reader.last;
    if (this.#rings && after !== null && isNews(before, after)) this.#screen.ring();
    if (isAwaited) this.#render();
  }

  #press(key: Key): void {
    if (this.#isOver) return;
    const { view, effect } = pressKey(this.#view, key, this.#around());
    this.#show(view);
    this.#do(effect);
    this.#render();
  }

  /** From now on, without drawing it. */
  #show(view: View): void {
    if (view.notice !== this.#view.notice) this.#noticeUntil = this.#clock.now() + NOTICE_MS;
    this.#view = view;
  }

  #around() {
    const shown = this.#framed();
    const { panels, size, view } = shown;
    const filtered = panels === null ? [] : shownPanels(panels, view);
    const place = shownPlaces(shown).find(({ id }) => id === view.panel);
    const panel = filtered.find(({ id }) => id === view.panel);
    const { kind } = shownMode(view);
    const rows = panel === undefined || place === undefined ? 1 : rowsThatFit(panel, place.height);
    const { above, below } = marginsOf(shown);
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

  /** Meanwhile the question takes no key, so that nothing is done twice. */
  async #act(): Promise<void> {
    const { mode } = this.#view;
    if (mode.kind !== 'ask') return;
    this.#show(withOutcome(this.#view, await outcomeOf(this.#source.act(actOf(mode.ask)))));
    // Also where it was refused: somebody else may have been faster, or the facts have changed.
    this.#reader.readNow();
    this.#render();
    await this.#readFacts();
  }

  /** Of the review that is asked about: nobody answers before they are shown. */
  async #readFacts(): Promise<void> {
    const id = askedReview(this.#view);
    if (id === null) return;
    const read = await this.#source.details('reviews', id).catch(reasonOf);
    if (askedReview(this.#view) !== id) return;
    this.#show(withReview(this.#view, (read ?? 'It is not in the list any more.') as ReviewInFull | string));
    this.#render();
  }

  /** What the panel knows at once; what the store knows besides, when it has answered. */
  async #open(): Promise<void> {
    const mode = shownMode(this.#view);
    const thing = this.#openRow();
    if (mode.kind !== 'details' || thing === null) return;
    if (this.#details?.key !== mode.key) this.#details = { key: mode.key, thing, note: null };
    await this.#readDetails();
  }

  async #readDetails(): Promise<void> {
    const mode = shownMode(this.#view);
    const last = this.#details;
    if (mode.kind !== 'details' || last?.key !== mode.key) return;
    const known = { panel: this.#view.panel, key: mode.key, row: this.#openRow(), last: last.thing };
    const details = await readDetails(this.#source, known);
    // Meanwhile something else may have been opened.
    if (this.#details?.key !== details.key) return;
    this.#details = details;
    this.#render();
  }

  /** What the panel of the open thing says of it; null where it says nothing any more. */
  #openRow(): object | null {
    const mode = shownMode(this.#view);
    const panel = this.#panels()?.find(({ id }) => id === this.#view.panel);
    return panel?.rows.find(({ key }) => mode.kind === 'details' && key === mode.key)?.thing ?? null;
  }

  #panels() {
    const { last } = this.#reader;
    return last === null ? null : panelsOf(last.snapshot, this.#clock.now());
  }

  #detailLines() {
    const mode = shownMode(this.#view);
    if (mode.kind !== 'details' || this.#details?.key !== mode.key) return null;
    const { thing, note } = this.#details;
    return sheetOf(note === null ? thing : { note, ...thing }, this.#screen.size().columns);
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
    this.#screen.name(titleOf(this.#reader.last, this.#reader.isAway, now));
  }
}

/** Never throws: what was refused is said with what can be done about it. */
async function outcomeOf(acting: Promise<string>): Promise<Outcome> {
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
