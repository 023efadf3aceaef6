/**
 * Passes SMS to gammu through files, one at a time, and finds out their results. gammu would send a file
 * again after a restart, so every file that it may have begun is removed before the start.
 */
import { readdir, rename, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../../core/ports.js';
import { asObject, isNumber, isText, parseJson } from '../../../core/shape.js';
import { ifExists, readTextIfExists, syncFolder, writeFileDurably } from '../../../ports/node-files.js';
import type { ModemEvents, OutgoingSms, SendDetails, SendResult } from '../modem.js';
import { encodeHeader, type OutgoingPart, writeBackup } from './backup-file.js';
import type { GammuFolder } from './gammu-folder.js';
import type { Sign } from './gammu-log.js';
import { countSeptets } from './gsm7.js';

interface OutgoingFile {
  readonly name: string;
  readonly number: string;
  readonly parts: number;
  readonly settle: (handover: SendResult) => void;
  isBegun: boolean;
  /** True if gammu did not begin it in time: it is removed when gammu has ended. */
  isExpired: boolean;
  /** Number of PDUs passed to the modem. */
  given: number;
  readonly references: number[];
  /** Status of the last failed part; null if none has failed. */
  failure: { readonly status: number; readonly isError: boolean } | null;
}

interface KeptHandover extends SendDetails {
  readonly handover: SendResult;
}

const PREFIX = 'OUT';
const SUFFIX = '.smsbackup';
const RESULT = '.result';
const MAX_ID = 60;
/** +CMS ERROR 332, network timeout: nobody knows whether the network has it. */
const UNCLEAR = new Set([332]);
const REASONS: Readonly<Record<number, string>> = {
  10: 'the SIM is barred from sending',
  21: 'the SMS was rejected',
  28: 'the number is not known',
  38: 'the network is out of order',
  41: 'the network has a temporary failure',
  42: 'the network is congested',
  50: 'the SIM may not send SMS',
  304: 'the modem did not understand the SMS',
  310: 'there is no SIM in the modem',
  311: 'the SIM wants its PIN',
  330: 'the SIM has no number of an SMS centre',
  331: 'there is no network',
  500: 'an unknown error',
};

export class Outbox {
  private job: OutgoingFile | null = null;

  /** `restart` ends gammu; `ended` is called then. */
  constructor(
    private readonly folder: GammuFolder,
    private readonly restart: () => void,
    private readonly clock: Clock,
    private readonly random: () => number,
  ) {}

  /** A part is with the network, and gammu waits for it without a word. */
  get isBusy(): boolean {
    return this.job?.isBegun === true;
  }

  /** Reports the results of SMS that an earlier run passed to gammu. Called before gammu is started. */
  async tellEarlier(tell: ModemEvents['onHandedOver']): Promise<void> {
    const unknown: SendResult = { kind: 'unknown', error: 'the agent ended while it was being sent' };
    const told = new Map<string, KeptHandover>();
    const note = (name: string, handover: SendResult): void => {
      told.set(name, { handover, number: '', at: this.clock.now() });
    };
    for (const name of await readdir(this.folder.of('outbox'))) note(name, unknown);
    for (const name of await readdir(this.folder.of('error'))) note(name, unknown);
    for (const name of await readdir(this.folder.of('sent'))) note(name, { kind: 'sent', references: [] });
    for (const name of [...told.keys()].filter((one) => one.endsWith(RESULT))) {
      const text = await readTextIfExists(join(this.folder.of('sent'), name));
      const kept = resultOf(asObject(parseJson(text ?? '')), this.clock.now());
      if (kept !== null) told.set(name.slice(0, -RESULT.length), kept);
    }
    for (const [name, { handover, ...about }] of told) {
      const id = idOf(name);
      if (id !== null) tell(id, handover, about);
    }
  }

  /** Removes all files from the outbox except the SMS that waits. Called while gammu does not run. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.folder.of('outbox')))
      if (name !== this.job?.name) await this.takeAway(name);
    await syncFolder(this.folder.of('outbox'));
  }

  /** Sends one SMS. Never rejects. Has no time limit of its own: the caller's timer calls `expire`. */
  async send({ id, number, text }: OutgoingSms): Promise<SendResult> {
    const refused = refusalOf(id, number, text);
    if (refused !== null) return { kind: 'refused', error: refused };
    const parts = splitText(text, Math.floor(this.random() * 256));
    if (parts.length > MAX_PARTS) return { kind: 'refused', error: 'the text is too long' };
    const name = nameOf(id);
    if (!(await this.clear())) return { kind: 'refused', error: 'nothing was sent: the disk takes nothing' };
    const result = new Promise<SendResult>((settle) => {
      const fresh = { isBegun: false, isExpired: false, given: 0, references: [], failure: null };
      this.job = { name, number, parts: parts.length, settle, ...fresh };
    });
    const path = join(this.folder.of('outbox'), name);
    // A file that is not surely on the disk may be there, and gammu may have begun it.
    await writeFileDurably(path, writeBackup(number, parts)).catch(() => this.expire());
    return result;
  }

  /** Withdraws an SMS of which the modem got nothing in time: restarts gammu; `ended` removes the file. */
  expire(): void {
    if (this.job === null || this.job.given > 0) return;
    this.job.isExpired = true;
    this.restart();
  }

  sign(sign: Sign): void {
    const { job } = this;
    if (job === null) return;
    switch (sign.kind) {
      case 'begun':
        if (sign.name === job.name) job.isBegun = true;
        return;
      case 'given':
        if (job.isBegun) job.given += 1;
        return;
      case 'part':
        if (!job.isBegun) return;
        if (sign.status === 0 && !sign.isError) job.references.push(sign.reference);
        else job.failure = { status: sign.status, isError: sign.isError };
        return;
      case 'sent':
        if (sign.name === job.name && job.isBegun) void this.finish(job, judge(job));
        return;
      case 'rejected':
        if (sign.name !== job.name || job.isBegun) return;
        void this.finish(job, { kind: 'refused', error: 'nothing was sent: gammu could not read it' });
        return;
      case 'failed':
        if (!job.isBegun) return;
        void this.finish(job, judge(job));
        // A late answer to this SMS must not be taken for that to the next.
        if (job.failure === null) this.restart();
        return;
      case 'stuck':
        this.restart();
        return;
      default:
    }
  }

  /** gammu does not run, and all that it said was given to `sign`. `problem` says why it does not work. */
  async ended(problem: string | null): Promise<void> {
    const { job } = this;
    if (job === null || (!job.isBegun && !job.isExpired)) return;
    await this.takeAway(job.name);
    const error = `nothing was sent: ${problem ?? 'gammu did not begin'}`;
    await this.finish(job, job.isBegun ? judge(job) : { kind: 'refused', error });
  }

  private async finish(job: OutgoingFile, handover: SendResult): Promise<void> {
    if (this.job === job) this.job = null;
    const path = join(this.folder.of('sent'), `${job.name}${RESULT}`);
    // Without it an earlier run is answered with less than is known, and nothing wrong.
    const about = { number: job.number, at: this.clock.now() };
    await writeFileDurably(path, JSON.stringify({ ...handover, ...about })).catch(() => {});
    job.settle(handover);
  }

  private async takeAway(name: string): Promise<void> {
    await ifExists(rename(join(this.folder.of('outbox'), name), join(this.folder.of('error'), name)));
  }

  /** Deletes earlier results, which have been reported. @returns false if the disk is not writable */
  private async clear(): Promise<boolean> {
    try {
      for (const folder of ['sent', 'error'] as const)
        for (const name of await readdir(this.folder.of(folder)))
          await ifExists(unlink(join(this.folder.of(folder), name)));
      return true;
    } catch {
      return false;
    }
  }
}

function judge({ parts, given, references, failure }: OutgoingFile): SendResult {
  if (references.length >= parts) return { kind: 'sent', references: references.filter((one) => one >= 0) };
  const place = parts > 1 ? `part ${references.length + 1} of ${parts}: ` : '';
  const isClear = failure?.isError === true && !UNCLEAR.has(failure.status);
  if (references.length > 0) {
    const error = isClear ? refusal(failure.status) : 'nobody knows whether it was sent';
    return { kind: 'unknown', error: `${place}${error}; the parts before it were sent` };
  }
  if (isClear) return { kind: 'refused', error: `${place}${refusal(failure.status)}` };
  if (given === 0) return { kind: 'refused', error: 'nothing was sent: the modem did not take it' };
  return { kind: 'unknown', error: 'the modem was given the SMS, and did not say what came of it' };
}

function refusal(status: number): string {
  return status <= 0
    ? 'the modem refused it'
    : `${REASONS[status] ?? 'the network refused it'} (error ${status})`;
}

function refusalOf(id: string, number: string, text: string): string | null {
  // gammu packs `*` and `#` wrong.
  if (!/^\+?\d{3,20}$/.test(number)) return 'this is no number';
  if (text.trim() === '') return 'there is no text';
  return id === '' || id.length > MAX_ID ? 'the id is too long' : null;
}

function nameOf(id: string): string {
  return `${PREFIX}${Buffer.from(id).toString('base64url')}${SUFFIX}`;
}

function idOf(name: string): string | null {
  if (!name.startsWith(PREFIX) || !name.endsWith(SUFFIX)) return null;
  return Buffer.from(name.slice(PREFIX.length, -SUFFIX.length), 'base64url').toString();
}

/** Earlier versions kept neither number nor time. */
function resultOf(fields: Readonly<Record<string, unknown>>, now: number): KeptHandover | null {
  const { kind, references, error, number, at } = fields;
  const about = { number: isText(number) ? number : '', at: isNumber(at) ? at : now };
  if (kind === 'sent' && Array.isArray(references))
    return { handover: { kind, references: references.map(Number) }, ...about };
  if ((kind !== 'refused' && kind !== 'unknown') || !isText(error)) return null;
  return { handover: { kind, error }, ...about };
}

/** Maximum number of parts that gammu sends as one SMS. */
const MAX_PARTS = 50;

const SEPTETS = { single: 160, part: 153 } as const;
/** Maximum number of UTF-16 units. */
const UNITS = { single: 70, part: 67 } as const;

/** `reference` (0 to 255) is the one that the parts of a long text have in common. */
function splitText(text: string, reference: number): OutgoingPart[] {
  const isUnicode = [...text].some((character) => countSeptets(character) === null);
  const room = isUnicode ? UNITS : SEPTETS;
  const length = (character: string): number =>
    isUnicode ? character.length : (countSeptets(character) ?? 1);
  const whole = [...text].reduce((sum, character) => sum + length(character), 0);
  if (whole <= room.single) return [{ text, isUnicode, header: '' }];
  const texts = [''];
  let used = 0;
  for (const character of text) {
    if (used + length(character) > room.part) {
      texts.push('');
      used = 0;
    }
    texts[texts.length - 1] += character;
    used += length(character);
  }
  return texts.map((part, index) => ({
    text: part,
    isUnicode,
    header: encodeHeader({ reference, of: texts.length, number: index + 1 }),
  }));
}
