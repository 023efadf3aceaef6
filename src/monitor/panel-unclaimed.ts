/** The panel of money that came in and that nobody has claimed. Pure. */
import type { Board } from '../actions/upkeep/read-dashboard.js';
import { CHANNEL } from '../domain/accounts/channels.js';
import { ageText } from './age.js';
import type { Cell } from './frame.js';
import { type Field, idOf, type Panel, panelOf } from './panel.js';

type Unclaimed = Board['unclaimed']['latest'][number];

/** Of a number that does not fit, its end is what customers are asked for. */
const LAST_DIGITS = 4;

function numberCell(number: string | null): Cell {
  if (number === null) return { text: '' };
  return { text: number, shorter: [`…${number.slice(-LAST_DIGITS)}`] };
}

/** What only a person may believe is marked. */
function amountCell({ amount, settle }: Unclaimed): Cell {
  if (amount === null) return { text: 'unread', tone: 'warn' };
  return settle === 'review' ? { text: `?${amount}`, tone: 'warn' } : { text: amount };
}

const FIELDS: readonly Field<Unclaimed>[] = [
  [{ head: 'AGO', width: 4, align: 'right', rank: 0 }, (one, now) => ageText(one.came_at, now)],
  [{ head: 'BDT', width: 9, upTo: 10, align: 'right', rank: 0 }, amountCell],
  [{ head: 'WALLET', width: 6, upTo: 9, rank: 0 }, (one) => CHANNEL[one.channel].name.en],
  [{ head: 'ID', width: 10, upTo: 16, rank: 0 }, (one) => one.reference],
  [{ head: 'FROM', width: 11, least: 5, rank: 0 }, (one) => numberCell(one.payer)],
  [{ head: 'TO', width: 11, rank: 1 }, (one) => numberCell(one.recipient)],
  [{ head: 'TOLD BY', width: 12, upTo: 24, rank: 2 }, (one) => one.told_by ?? ''],
];

export function unclaimedPanel({ count, sum, latest }: Board['unclaimed'], now: number): Panel {
  const summary =
    count === 0
      ? [{ text: 'none', tone: 'dim' as const }]
      : [{ text: String(count), tone: 'warn' as const }, { text: `BDT ${sum}` }];
  const [fields, empty] = [FIELDS, 'All that came in is claimed.'];
  return panelOf({ id: 'unclaimed', summary, fields, things: latest, keyOf: idOf, empty }, now);
}
