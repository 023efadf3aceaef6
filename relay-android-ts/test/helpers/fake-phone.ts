/** A folder with fake programs of Termux:API for one test, and what the test wants of them. */
import { appendFile, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { TermuxCalls } from '../../src/platforms/termux/termux-calls.js';
import { tempFolder } from './agent.js';
import { playTermux } from './fake-termux.js';

const NAMES = [
  'termux-sms-list',
  'termux-sms-send',
  'termux-battery-status',
  'termux-wifi-connectioninfo',
  'termux-telephony-deviceinfo',
  'termux-wake-lock',
  'termux-wake-unlock',
  'termux-notification',
  'termux-notification-remove',
  'getprop',
];

export interface PhoneSms {
  readonly _id: number;
  readonly address: string;
  readonly body: string;
  /** Milliseconds since the Unix epoch. */
  readonly date: number;
  readonly type: string;
  readonly sub_id: number;
  readonly creator: string;
}

export interface Called {
  readonly program: string;
  readonly args: readonly string[];
  readonly input?: string;
  readonly pid: number;
  readonly at?: number;
  readonly ended?: number;
}

export class FakePhone {
  readonly folder: string;
  readonly path: string;

  private constructor(folder: string) {
    this.folder = folder;
    this.path = `${join(folder, 'bin')}:/usr/bin:/bin`;
  }

  static async open(t: ExecutionContext, plan: object = {}): Promise<FakePhone> {
    const phone = new FakePhone(await tempFolder(t));
    t.teardown(playTermux(phone.folder, NAMES));
    await phone.plan(plan);
    await phone.has([]);
    return phone;
  }

  calls(limitMs?: number): TermuxCalls {
    return new TermuxCalls(this.path, limitMs);
  }

  async plan(plan: object): Promise<void> {
    await this.#put('plan.json', plan);
  }

  /** All SMS that the phone has received. */
  async has(sms: readonly (Partial<PhoneSms> & Pick<PhoneSms, '_id' | 'date'>)[]): Promise<void> {
    const rest = { address: 'bKash', type: 'inbox', sub_id: 1, creator: 'com.android.mms' };
    await this.#put(
      'sms.json',
      sms.map((one) => ({ body: `text ${one._id}`, ...rest, ...one })),
    );
  }

  /** A row as Android adds it for an SMS that was sent. */
  async addSent(sms: Pick<PhoneSms, '_id' | 'type' | 'address' | 'body'>): Promise<void> {
    const row = { date: Date.now(), sub_id: 1, creator: 'com.termux.api', ...sms };
    await appendFile(join(this.folder, 'sent.ndjson'), `${JSON.stringify(row)}\n`);
  }

  /** How programs were called and when they ended, in order. */
  async called(program?: string): Promise<Called[]> {
    const text = await readFile(join(this.folder, 'calls.ndjson'), 'utf8').catch(() => '');
    const all = text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Called);
    return program === undefined ? all : all.filter((one) => one.program === program && 'at' in one);
  }

  async #put(name: string, value: unknown): Promise<void> {
    await writeFile(join(this.folder, `${name}.new`), JSON.stringify(value));
    await rename(join(this.folder, `${name}.new`), join(this.folder, name));
  }
}
