/** What `?` shows. */
import type { SheetLine } from './sheet.js';

/** What stands beside a word fits a window of 80 columns. */
const TEXT: readonly (readonly [string, string])[] = [
  ['Tab  →', 'next panel'],
  ['Shift-Tab  ←', 'panel before'],
  ['1 … 8', 'panel of that number, in the order of Tab'],
  ['↑ ↓  k j', 'move the mark; PgUp, PgDn, Home, End: further'],
  ['Enter', 'all that is known of the marked row, and back'],
  ['/', 'only rows with that text in them; Esc: all again'],
  ['z', 'this panel alone, and back'],
  ['r', 'read now, not only every 3 seconds'],
  ['Ctrl-Z  Ctrl-L', 'to the shell until fg; draw everything anew'],
  ['q  Ctrl-C', 'end'],
  ['', ''],
  ['Devices', 'relay phones, those in trouble first'],
  ['  STATE', 'ONLINE: seen within 3 minutes, LATE: 15; !: in trouble'],
  ['  BATTERY', 'a + behind it means charging'],
  ['  ACTIVE', 'how long ago it was last seen; never: not once yet'],
  ['  QUEUE', 'SMS that lie on the phone and have not come through'],
  ['  OUT', 'SMS that wait here to be sent through it'],
  ['Payments', 'bars of two minutes: what was opened, what of it is paid'],
  ['Reviews', 'wait for your decision: kashbox verifications'],
  ['Notifications', 'not heard by shops yet, or given up: kashbox webhooks'],
  ['Alerts', '! lasts, ✓ is over: kashbox alerts'],
  ['  gap', 'BDT that no SMS tells of, + came, - left, and the wallet'],
  ['Dispatches', 'SMS sent through phones: kashbox gateway'],
  ['Nodes', 'where transfers of USDT are read: kashbox nodes'],
  ['Jobs', 'live: all the time; silent: should have run long ago'],
  ['', ''],
  ['Times', 'are in Bangladesh time. Nothing is changed from here.'],
];

export const HELP: readonly SheetLine[] = TEXT.map(([word, value]) => ({ indent: 0, word, value }));
