/** What is set of a modem that gammu-smsd drives, and how long things may take. */
import type { Clock, Log } from '../../../core/ports.js';
import type { GammuTimes } from './gammu-child.js';

export interface GammuOptions {
  /** 1-based. */
  readonly slot: number;
  /** Path of the serial port; best one of /dev/serial/by-id, which stays the same. */
  readonly device: string;
  /** For its configuration and SMS; made where it is missing, for its owner alone. */
  readonly folder: string;
  readonly clock: Clock;
  readonly log: Log;
  /** PATH in which gammu-smsd, sh and coreutils are looked for. */
  readonly path: string;
  readonly times?: Partial<ModemTimes>;
}

export interface ModemTimes extends GammuTimes {
  /** How long the parts of a long SMS wait for each other, in milliseconds. */
  readonly joinMs: number;
  /** After this long without an answer at a start the state says so, in milliseconds. */
  readonly answerMs: number;
  /** How long an SMS to send waits until gammu begins it, in milliseconds. */
  readonly beginMs: number;
  /** How long gammu waits for the network's answer to one part, in seconds. */
  readonly sendSeconds: number;
}

export const TIMES: ModemTimes = {
  // gammu itself sleeps for 30 s when a modem does not answer.
  silenceMs: 45_000,
  deafMs: 120_000,
  firstPauseMs: 1000,
  longestPauseMs: 10_000,
  endMs: 3000,
  joinMs: 600_000,
  answerMs: 15_000,
  // gammu first reads all that has come, and what waits too long takes a restart of gammu.
  beginMs: 300_000,
  sendSeconds: 90,
};
