/** What `?` shows. */
import type { SheetLine } from './sheet.js';

/** What stands beside a word fits a window of 80 columns. */
const TEXT: readonly (readonly [string, string])[] = [
  ['Tab  →', 'next panel'],
  ['Shift-Tab  ←', 'panel before'],
  ['1 … 9', 'panel of that number, in the order of Tab'],
  ['↑ ↓  k j', 'move the mark; PgUp, PgDn, Home, End: further'],
  ['Enter', 'all that is known of the marked row, and back'],
  ['/', 'only rows with that text in them; Esc: all again'],
  ['z', 'this panel alone, and back'],
  ['r', 'read now, not only every 3 seconds'],
  ['Ctrl-Z  Ctrl-L', 'to the shell until fg; draw everything again'],
  ['q  Ctrl-C', 'end'],
  ['', ''],
  ['On a marked row', 'each asks first, y does it, Esc leaves; nothing else acts'],
  ['  a  x', 'Reviews: approve, reject; a note is kept with it'],
  ['  s', 'Notifications: send again'],
  ['  c', 'Alerts: close the gap that an sms gap tells of'],
  ['', ''],
  ['Devices', 'relay phones, those in trouble first'],
  ['  STATE', 'ONLINE: seen within 3 minutes, LATE: 15; !: in trouble'],
  ['  BATTERY', 'a + behind it means charging'],
  ['  ACTIVE', 'how long ago it was last seen; never: not once yet'],
  ['  QUEUE', 'SMS that lie on the phone and have not come through'],
  ['  OUT', 'SMS that wait here to be sent through it'],
  ['Payments', 'credited today and yesterday; the rest is of the last hour'],
  ['  bars', 'of two minutes each: what was opened, what of it is paid'],
  ['Reviews', 'wait for your decision: kashbox verifications'],
  ['Unclaimed', 'came in and has paid nothing: kashbox why ID'],
  ['Notifications', 'not heard by shops yet, or given up: kashbox webhooks'],
  ['Alerts', '! lasts, ✓ is over: kashbox alerts'],
  ['  gap', 'BDT that no SMS tells of, + came, - left, and the wallet'],
  ['Dispatches', 'SMS sent through phones: kashbox gateway'],
  ['Nodes', 'where transfers of USDT are read; unused: never asked'],
  ['Jobs', 'live: all the time; silent: should have run long ago'],
  ['', ''],
  ['Sound, title', 'for new reviews, alerts, dead notifications, lost phones'],
  ['Times', 'are in Bangladesh time.'],
];

export const HELP: readonly SheetLine[] = TEXT.map(([word, value]) => ({ indent: 0, word, value }));
