/** Defines the operator's view and the effect of each key. Pure: returns a new view for a view and a key. */
import { type Dialog, isUnread, type Key, openDialog, pressAsk, withFacts } from './dialog.js';
import type { Cell } from './frame.js';
import { PANEL_IDS, type Panel, type PanelId, type PanelRow } from './panel.js';

/** Marked row: its key, and its index in case it disappears. */
interface MarkedRow {
  readonly key: string;
  readonly index: number;
}

interface DetailsMode {
  readonly kind: 'details';
  readonly key: string;
  readonly top: number;
}

type Mode =
  | { readonly kind: 'board' }
  /** A filter is being typed, or changed. */
  | { readonly kind: 'filter' }
  | { readonly kind: 'help'; readonly top: number }
  | DetailsMode
  /** Open dialog; `behind` is the mode to return to. */
  | { readonly kind: 'ask'; readonly ask: Dialog; readonly behind: { readonly kind: 'board' } | DetailsMode };

export interface View {
  readonly panel: PanelId;
  readonly isZoomed: boolean;
  readonly mode: Mode;
  readonly filters: Readonly<Partial<Record<PanelId, string>>>;
  /** Marked rows by panel. Absent means the first row, whichever it is, so that new rows stay visible. */
  readonly marks: Readonly<Partial<Record<PanelId, MarkedRow>>>;
  /** Outcome of the last action; null after its display time. */
  readonly notice: Cell | null;
}

export const FIRST_VIEW: View = {
  panel: 'devices',
  isZoomed: false,
  mode: { kind: 'board' },
  filters: {},
  marks: {},
  notice: null,
};

/** Side effect of a key. `act`: execute the dialog's action; `facts`: load the facts it needs. */
export type Effect = 'none' | 'read' | 'open' | 'act' | 'facts' | 'suspend' | 'end';

interface KeyEffect {
  readonly view: View;
  readonly effect: Effect;
}

/** Navigation context of the keys. */
interface NavigationContext {
  /** Visible panels, with their filters applied. */
  readonly panels: readonly Panel[];
  /** Rows on a page of the panel, lines on a page of details. */
  readonly page: number;
  /** Lines of the help or the details that are open. */
  readonly lines: number;
}

const MAX_FILTER = 40;

export function currentFilter(view: View): string {
  return view.filters[view.panel] ?? '';
}

/** @returns the index of the marked row, 0 if none is marked. */
export function markedIndex(view: View, panel: Panel): number {
  const mark = view.marks[panel.id];
  if (mark === undefined) return 0;
  const found = panel.rows.findIndex(({ key }) => key === mark.key);
  return found >= 0 ? found : Math.max(0, Math.min(mark.index, panel.rows.length - 1));
}

/** @returns the new view, and the effect of the key. */
export function pressKey(view: View, key: Key, around: NavigationContext): KeyEffect {
  if (key.name === 'C-c') return { view, effect: 'end' };
  if (key.name === 'C-z') return { view, effect: 'suspend' };
  switch (view.mode.kind) {
    case 'filter':
      return { view: typed(view, key), effect: 'none' };
    case 'help':
      return inText(view, view.mode, key, around);
    case 'details':
      return asked(view, view.mode, key, around) ?? inText(view, view.mode, key, around);
    case 'board':
      return asked(view, view.mode, key, around) ?? onBoard(view, key, around);
    case 'ask':
      return answered(view, view.mode, key);
    default:
      return view.mode satisfies never;
  }
}

/** Mode below an open dialog, or the current mode. */
export function baseMode({ mode }: View): Exclude<Mode, { readonly kind: 'ask' }> {
  return mode.kind === 'ask' ? mode.behind : mode;
}

/** The row that keys are about: the one that is open, or the marked one. */
export function currentRow(view: View, panels: readonly Panel[]): PanelRow | undefined {
  const panel = panels.find(({ id }) => id === view.panel);
  const mode = baseMode(view);
  if (mode.kind === 'details') return panel?.rows.find(({ key }) => key === mode.key);
  return panel?.rows[markedIndex(view, panel)];
}

type Asking = Extract<Mode, { readonly kind: 'ask' }>;

/** @returns null where the key begins nothing on that row. */
function asked(
  view: View,
  behind: Asking['behind'],
  key: Key,
  { panels }: NavigationContext,
): KeyEffect | null {
  const offer = currentRow(view, panels)?.offers.find((one) => one.key === key.name);
  if (offer === undefined) return null;
  const ask = openDialog(offer.subject);
  if (typeof ask === 'string')
    return { view: { ...view, notice: { text: ask, tone: 'warn' } }, effect: 'none' };
  const effect = isUnread(ask) ? 'facts' : 'none';
  return { view: { ...view, notice: null, mode: { kind: 'ask', ask, behind } }, effect };
}

/** @returns the id of the review in the dialog; null if there is none. */
export function askedReview({ mode }: View): string | null {
  return mode.kind === 'ask' && 'review' in mode.ask.subject ? mode.ask.subject.review.id : null;
}

/** @param review loaded review, or an error message, which closes the dialog. */
export function withReview(view: View, review: Parameters<typeof withFacts>[1] | string): View {
  if (view.mode.kind !== 'ask') return view;
  const { ask, behind } = view.mode;
  const again = typeof review === 'string' ? review : withFacts(ask, review);
  // Why it was refused stays to be read.
  if (typeof again === 'string' && ask.state.kind === 'refused') return view;
  if (typeof again === 'string') return { ...view, mode: behind, notice: { text: again, tone: 'warn' } };
  return { ...view, mode: { ...view.mode, ask: again } };
}

function answered(view: View, mode: Asking, key: Key): KeyEffect {
  const step = pressAsk(mode.ask, key);
  switch (step.kind) {
    case 'stay':
      return { view: { ...view, mode: { ...mode, ask: step.ask } }, effect: 'none' };
    case 'leave':
      return { view: { ...view, mode: mode.behind }, effect: 'none' };
    case 'act':
      return { view: { ...view, mode: { ...mode, ask: step.ask } }, effect: 'act' };
    default:
      return step satisfies never;
  }
}

/** Outcome of a confirmed action; the input of a refused one is kept. */
export interface ActOutcome {
  readonly kind: 'done' | 'refused';
  readonly says: string;
}

export function withOutcome(view: View, { kind, says }: ActOutcome): View {
  if (view.mode.kind !== 'ask') return view;
  const { ask, behind } = view.mode;
  if (kind === 'done') return { ...view, mode: behind, notice: { text: says, tone: 'good' } };
  return { ...view, mode: { ...view.mode, ask: { ...ask, state: { kind: 'refused', says } } } };
}

function onBoard(view: View, key: Key, around: NavigationContext): KeyEffect {
  const panel = around.panels.find(({ id }) => id === view.panel);
  const to = (next: View, effect: Effect = 'none') => ({ view: next, effect });
  switch (key.name) {
    case 'q':
      return to(view, 'end');
    case 'r':
      return to(view, 'read');
    case '?':
      return to({ ...view, mode: { kind: 'help', top: 0 } });
    case '/':
      return to({ ...view, mode: { kind: 'filter' } });
    case 'z':
      return to({ ...view, isZoomed: !view.isZoomed });
    case 'escape':
      return to(currentFilter(view) === '' ? { ...view, isZoomed: false } : withFilter(view, ''));
    case 'tab':
    case 'right':
      return to(toPanel(view, around, 1));
    case 'S-tab':
    case 'left':
      return to(toPanel(view, around, -1));
    case 'enter':
    case 'linefeed':
      return opened(view, panel);
    default:
      return to(panel === undefined ? view : handleNavigationKey(view, panel, key, around.page));
  }
}

function toPanel(view: View, { panels }: NavigationContext, step: number): View {
  const at = panels.findIndex(({ id }) => id === view.panel);
  const next = panels[(at + step + panels.length) % Math.max(1, panels.length)];
  return next === undefined ? view : { ...view, panel: next.id };
}

function opened(view: View, panel: Panel | undefined): KeyEffect {
  const row = panel?.rows[markedIndex(view, panel)];
  if (row === undefined) return { view, effect: 'none' };
  return { view: { ...view, mode: { kind: 'details', key: row.key, top: 0 } }, effect: 'open' };
}

/** A number key goes to the panel of that number; the others move the mark. */
function handleNavigationKey(view: View, panel: Panel, key: Key, page: number): View {
  const numbered = /^[1-9]$/.test(key.name) ? PANEL_IDS[Number(key.name) - 1] : undefined;
  if (numbered !== undefined) return { ...view, panel: numbered };
  const from = markedIndex(view, panel);
  const last = panel.rows.length - 1;
  const index = Math.max(0, Math.min(last, stepped(key.name, from, page, last)));
  const row = panel.rows[index];
  const { [panel.id]: _mark, ...others } = view.marks;
  if (row === undefined || index === 0) return { ...view, marks: others };
  return { ...view, marks: { ...others, [panel.id]: { key: row.key, index } } };
}

/** @returns where a key leads from a place in a list; the place itself for keys that lead nowhere. */
function stepped(name: string, from: number, page: number, last: number): number {
  switch (name) {
    case 'up':
    case 'k':
      return from - 1;
    case 'down':
    case 'j':
      return from + 1;
    case 'pageup':
      return from - page;
    case 'pagedown':
    case 'space':
      return from + page;
    case 'home':
    case 'g':
      return 0;
    case 'end':
    case 'S-g':
      return last;
    default:
      return from;
  }
}

type TextMode = Extract<Mode, { readonly top: number }>;

function inText(view: View, mode: TextMode, key: Key, around: NavigationContext): KeyEffect {
  if (['q', 'escape', 'enter', 'linefeed', 'backspace', '?'].includes(key.name)) {
    return { view: { ...view, mode: { kind: 'board' } }, effect: 'none' };
  }
  if (key.name === 'r') return { view, effect: 'read' };
  const last = Math.max(0, around.lines - around.page);
  const top = Math.max(0, Math.min(last, stepped(key.name, mode.top, around.page, last)));
  return { view: { ...view, mode: { ...mode, top } }, effect: 'none' };
}

function typed(view: View, key: Key): View {
  const done: View = { ...view, mode: { kind: 'board' } };
  const filter = currentFilter(view);
  switch (key.name) {
    case 'enter':
    case 'linefeed':
      return done;
    case 'escape':
      return withFilter(done, '');
    case 'backspace':
      return withFilter(view, [...filter].slice(0, -1).join(''));
    default:
      return key.text === '' || filter.length >= MAX_FILTER ? view : withFilter(view, filter + key.text);
  }
}

/** Sets the filter and removes the mark, because its row may be hidden. */
function withFilter(view: View, filter: string): View {
  const { [view.panel]: _mark, ...marks } = view.marks;
  return { ...view, filters: { ...view.filters, [view.panel]: filter }, marks };
}
