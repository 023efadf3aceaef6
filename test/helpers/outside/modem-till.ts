/**
 * A relay agent on a computer with GSM modems: scripted modems on pseudo-terminals, the real gammu-smsd at
 * each. Knows which SMS came and when, and what the network was given to send.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Delivery, deliverPdus } from '../../../relay-android-ts/test/helpers/modem/pdu.js';
import { ScriptedModem } from '../../../relay-android-ts/test/helpers/modem/scripted-modem.js';
import { dhakaIso } from '../../../src/base/values/clock.js';
import { type Owner, type Process, relayProgram, startNode } from '../programs/processes.js';
import { newSms } from '../shop/till.js';

export interface ModemTill {
  readonly modems: readonly ScriptedModem[];
  /** When each SMS came, by its text: milliseconds since the Unix epoch. */
  readonly came: ReadonlyMap<string, number>;
  /** So many SMS more come, by turns to each modem: Bangla and English, short and long. */
  receive(count: number): void;
  /** Starts the agent, after the one before has ended. */
  start(): Process;
  /** Ids of the gammu-smsd of this agent that run. */
  gammus(): number[];
}

const SMSC = '+8801700000600';

/** Parts of long SMS come mixed, since a reference is one sender's alone. */
function shuffled(lists: readonly (readonly string[])[]): string[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => lists.flatMap((list) => list[at] ?? [])).flat();
}

function deliveryOf(n: number, at: number): Delivery {
  const common = { at: dhakaIso(at), smsc: SMSC, reference: n & 255 };
  switch (n % 4) {
    case 0:
      return { ...common, from: 'bKash', text: newSms().sms.body };
    case 1:
      return { ...common, from: 'NAGAD', text: `আপনার অর্ডার ${n} পৌঁছেছে। ধন্যবাদ 🎉` };
    case 2:
      return { ...common, from: '16216', text: `অর্ডার ${n}: ${'টাকা পেয়েছেন, আপনাকে ধন্যবাদ। '.repeat(5)}${n}` };
    default:
      return {
        ...common,
        from: '+8801811000000',
        text: `Order ${n}: ${'your parcel is on its way. '.repeat(8)}${n}`,
      };
  }
}

/** `relay` is the agent's home, paired already; `folder` is for the pseudo-terminals. */
export async function openModemTill(
  t: Owner,
  { relay, folder, count }: { readonly relay: string; readonly folder: string; readonly count: number },
): Promise<ModemTill> {
  const devices = Array.from({ length: count }, (_, at) => join(folder, `tty${at + 1}`));
  const modems = await Promise.all(devices.map((device) => ScriptedModem.open(device)));
  const specs = devices.map((device, at) => `${at + 1}=gammu:${device}`).join(',');
  const came = new Map<string, number>();
  const gammus = () => gammusBelow(relay);
  t.teardown(async () => {
    for (const pid of gammus()) process.kill(pid, 'SIGKILL');
    await Promise.all(modems.map((modem) => modem.close()));
  });
  let number = 0;
  return {
    modems,
    came,
    gammus,
    receive: (many) => {
      const pdus: string[][][] = modems.map(() => []);
      const now = Date.now();
      for (let one = 0; one < many; one += 1) {
        number += 1;
        const sms = deliveryOf(number, now);
        came.set(sms.text, now);
        // The kinds go by fours: each modem gets all of them.
        pdus[(number >> 2) % modems.length]?.push(deliverPdus(sms));
      }
      for (const [at, modem] of modems.entries()) modem.receive(...shuffled(pdus[at] ?? []));
    },
    start: () => startNode(t, [relayProgram, 'run', '--home', relay, '--modems', specs]),
  };
}

function gammusBelow(folder: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => {
    try {
      const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return line.startsWith('gammu-smsd\0') && line.includes(folder);
    } catch {
      return false;
    }
  });
}

/** One stick after the other by its `turn` is pulled out for a while, in milliseconds, and put in again. */
export async function replug(modems: readonly ScriptedModem[], turn: number, ms: number): Promise<void> {
  const modem = modems[turn % modems.length];
  await modem?.unplug();
  await sleep(ms);
  await modem?.plug();
}
