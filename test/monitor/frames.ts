/** Frames of the dashboard for tests, and a terminal that does what painted text says. */
import { draw } from '../../src/monitor/draw.js';
import type { Cell } from '../../src/monitor/frame.js';
import type { Size } from '../../src/monitor/layout.js';
import { buildPanels } from '../../src/monitor/panels.js';
import type { Phone, Snapshot } from '../../src/monitor/snapshot.js';
import { FIRST_VIEW } from '../../src/monitor/view.js';

/** Who looks, where nothing is asked of `kashbox why`. */
export const operator = { who: 'test', explain: async () => [] };

const READ: Cell = { text: 'store, read 12:35:03', tone: 'dim' };

/** A phone with which all is well. */
export const phone: Phone = {
  id: 'dev_1',
  name: 'Counter 1',
  state: 'ONLINE',
  last_active: 'now',
  last_seen_at: '2026-08-21T12:34:55+06:00',
  downtime: '',
  battery: 87,
  charging: true,
  network: 'wifi',
  problem: null,
  pending_sms: 0,
  pending_dispatches: 0,
};

/** What is shown of a reading at some moment. */
export function frameOf(
  snapshot: Snapshot | null,
  size: Size,
  now: number,
  view = FIRST_VIEW,
  status = READ,
) {
  return draw({
    panels: snapshot === null ? null : buildPanels(snapshot, now),
    view,
    size,
    title: 'Kashbox  21 Aug 2026 12:35:04',
    status,
    details: null,
  });
}

const ESCAPE = '\u001b';
const SEQUENCE = /^\[(\?)?([\d;]*)([A-Za-z])/;

/** Cells with the attributes in force when they were written; every sign takes one cell. */
export function fakeTerminal({ columns, rows }: Size) {
  const cells = Array.from({ length: rows }, () => Array.from({ length: columns }, () => ' '));
  let [x, y, tone] = [0, 0, '0'];
  const obey = (text: string): void => {
    for (let at = 0; at < text.length; ) {
      if (text[at] !== ESCAPE) {
        const sign = text[at] ?? '';
        const line = cells[y];
        if (line !== undefined && x < columns) line[x] = `${tone}:${sign}`;
        x += 1;
        at += 1;
        continue;
      }
      const [all = '', , numbers = '', kind = ''] = SEQUENCE.exec(text.slice(at + 1)) ?? [];
      if (all === '') throw new Error(`no sequence that is known: ${JSON.stringify(text.slice(at, at + 9))}`);
      if (kind === 'H') [y = 0, x = 0] = numbers.split(';').map((number) => Number(number) - 1);
      if (kind === 'm') tone = numbers;
      at += 1 + all.length;
    }
  };
  return { obey, cells: () => cells.map((line) => [...line]) };
}
