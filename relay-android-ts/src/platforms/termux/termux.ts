/** A real phone: Android, Termux and its Termux:API (relay-phones.md section 2). Puts its parts together. */
import type { Clock, Log, Platform } from '../../core/ports.js';
import { TermuxCalls } from './termux-calls.js';
import { readTermuxHealth } from './termux-health.js';
import { type SimSubs, TermuxInbox } from './termux-inbox.js';
import { TermuxSender } from './termux-sender.js';
import { TermuxSurface } from './termux-surface.js';

const HEALTH_EVERY_MS = 60_000;

export interface TermuxOptions {
  /** The PATH in which the programs of Termux:API lie. */
  readonly path: string | undefined;
  readonly simSubs: SimSubs;
  /** The inbox ends when everything has been read. */
  readonly once: boolean;
}

export function termuxPhone(options: TermuxOptions, clock: Clock, log: Log): Platform {
  const calls = new TermuxCalls(options.path);
  return {
    name: 'termux',
    inbox: new TermuxInbox(calls, clock, log, options),
    sender: new TermuxSender(calls, clock),
    surface: new TermuxSurface(calls, clock, log),
    readHealth: () => readTermuxHealth(calls),
    healthEveryMs: HEALTH_EVERY_MS,
  };
}
