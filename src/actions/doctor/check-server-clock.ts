/**
 * Whether the clock of this machine agrees with that of the PostgreSQL server. Each of several daemons judges
 * by its own clock what is over and who is silent: one that is ahead ends what others still wait for.
 */
import { say } from '../../base/values/say.js';
import type { Core } from '../core/core.js';
import { type Finding, ok, warn } from './check.js';

const NAME = 'clock of PostgreSQL';
const TOLERANCE_MS = 5_000;

/** @returns nothing for SQLite, which has this machine's clock. @throws KashboxError `store_unreachable` */
export async function checkServerClock(core: Core): Promise<Finding[]> {
  if (core.store.engine === 'sqlite') return [];
  const before = core.clock.now();
  const [row] = await core.store.read((db) =>
    db.execute<{ now: number }>(
      'SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now',
      [],
    ),
  );
  if (row === undefined) throw new TypeError('the server told no time');
  const apartMs = apart(row.now, before, core.clock.now());
  if (Math.abs(apartMs) <= TOLERANCE_MS) return [ok(NAME, say`agrees with that of this machine`)];
  const seconds = Math.round(Math.abs(apartMs) / 1000);
  return [
    warn(
      NAME,
      apartMs > 0
        ? say`the clock of this machine is ${seconds} s ahead of that of the server`
        : say`the clock of this machine is ${seconds} s behind that of the server`,
      say`Let NTP keep the clocks of both, and of every machine with a daemon: timedatectl set-ntp true`,
    ),
  ];
}

/** The server looked at its clock between asking and answer: what that explains is no difference. */
function apart(theirs: number, before: number, after: number): number {
  if (theirs < before) return before - theirs;
  return theirs > after ? after - theirs : 0;
}
