/**
 * The network behind scripted modems: takes SMS, refuses some, tells later what became of them, and writes
 * down how often it got each part. Which SMS meets what is its number's affair: the first number in its text.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Submitted } from '../../../relay-android-ts/test/helpers/modem/pdu.js';
import type { ScriptedModem } from '../../../relay-android-ts/test/helpers/modem/scripted-modem.js';
import type { Owner } from '../programs/processes.js';

export interface Carrier {
  /** How often each part of each SMS came, by `partKey`. */
  readonly sent: ReadonlyMap<string, number>;
  /** Parts whose delivery was told to a modem that could take it. */
  readonly delivered: ReadonlySet<string>;
}

const LOOK_MS = 20;
const REPORT_AFTER_MS = 150;
/** TP-Status (3GPP TS 23.040, 9.2.3.15). */
const DELIVERED = 0;
const TRIES_ON = 0x20;
const FAILED = 0x40;

/** `part` is 1-based. */
export const partKey = (number: number, part: number): string => `${number}/${part}`;

/** Every twentieth is refused. */
export const isRefused = (number: number): boolean => number % 20 === 7;
/** The network takes this one, and its answer is lost. */
export const UNANSWERED = 250;
const statusesOf = (number: number): readonly number[] => {
  if (number % 10 === 9) return [];
  if (number % 10 === 3) return [FAILED];
  return number % 10 === 4 ? [TRIES_ON, DELIVERED] : [DELIVERED];
};

const numberOf = ({ text }: Submitted): number => Number(/\d+/.exec(text)?.[0]);

export function startCarrier(t: Owner, modems: readonly ScriptedModem[]): Carrier {
  const sent = new Map<string, number>();
  const delivered = new Set<string>();
  let isOver = false;

  const report = async (modem: ScriptedModem, sms: ScriptedModem['sent'][number], key: string) => {
    for (const status of statusesOf(numberOf(sms))) {
      await sleep(REPORT_AFTER_MS);
      // The network keeps a report until the modem can take it.
      while (modem.indications[3] !== 1 && !isOver) await sleep(LOOK_MS);
      modem.report({ reference: sms.reference, number: sms.number, status });
      if (status === DELIVERED) delivered.add(key);
    }
  };
  const watch = async (modem: ScriptedModem) => {
    for (let seen = 0; !isOver; await sleep(LOOK_MS)) {
      for (const sms of modem.sent.slice(seen)) {
        seen += 1;
        const key = partKey(numberOf(sms), sms.part?.number ?? 1);
        sent.set(key, (sent.get(key) ?? 0) + 1);
        void report(modem, sms, key);
      }
    }
  };
  for (const modem of modems) {
    modem.onSubmit = (sms) => {
      const number = numberOf(sms);
      if (isRefused(number)) return { error: '+CMS ERROR: 38' };
      return number === UNANSWERED ? 'silent' : 'sent';
    };
    void watch(modem);
  }
  t.teardown(() => {
    isOver = true;
  });
  return { sent, delivered };
}
