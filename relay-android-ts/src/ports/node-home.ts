/** The agent's home: its pairing, journals and state, and requests of commands. Private to its owner. */
import { randomUUID } from 'node:crypto';
import { chmod, readdir, readFile, rename, stat, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '../core/errors.js';
import { isSimReading } from '../core/health.js';
import { type DeadLetterRequest, isDeadLetterRequest } from '../core/inbox/dead-letters.js';
import { isTrust } from '../core/pairing.js';
import { arrayOf, asObject, type Infer, isNumber, isText, orNull, parseJson, shape } from '../core/shape.js';
import { hasCode, makeFolder, readTextIfExists, writeFileDurably } from './node-files.js';

const isConfig = shape({
  url: isText,
  deviceId: isText,
  deviceName: isText,
  deviceKey: isText,
  trust: isTrust,
  /** Milliseconds since the Unix epoch. */
  pairedAt: isNumber,
});
export type Config = Infer<typeof isConfig>;

/** `clockOffsetMs` is server time minus phone time; other times are milliseconds since the Unix epoch. */
const isTimes = shape({ lastSyncAt: orNull(isNumber), clockOffsetMs: orNull(isNumber) });
const isProblem = shape({ message: isText, at: isNumber });
const isFault = shape({ code: isText, message: isText, at: isNumber });
const isSims = shape({ at: isNumber, readings: arrayOf(isSimReading) });

/** State that a running agent writes for `status` and `doctor`. */
export interface RunState extends Infer<typeof isTimes> {
  readonly lastError: Infer<typeof isFault> | null;
  /** Problem that prevents the agent from working, with its start time. */
  readonly problem: Infer<typeof isProblem> | null;
  /** Last SIM readings of this run, with their time. */
  readonly sims: Infer<typeof isSims> | null;
}

/** Written when a damaged journal is set aside (node-files.ts). */
const DAMAGED_NAME = /\.journal\.damaged-/;
const DAMAGE_TOLD_MS = 30 * 86_400_000;
const REQUEST_NAME = /^wish-[0-9a-f-]{36}\.json$/;

export class Home {
  constructor(readonly path: string) {}

  get queuePath(): string {
    return this.file('queue.journal');
  }

  get deadLettersPath(): string {
    return this.file('dead-letters.journal');
  }

  get outboxPath(): string {
    return this.file('outbox.journal');
  }

  /** Path of the log of sent SMS, used to match delivery reports. */
  get modemSentPath(): string {
    return this.file('modem-sent.journal');
  }

  /** Folder of the program that drives a modem. */
  modemFolder(slot: number): string {
    return this.file(`modem-${slot}`);
  }

  get lockPath(): string {
    return this.file('run.lock');
  }

  /** Makes the folder, readable by its owner alone even if it was there already. */
  async prepare(): Promise<void> {
    try {
      await makeFolder(this.path);
      await chmod(this.path, 0o700);
    } catch (error) {
      throw new RelayError('storage_failed', `The home folder ${this.path} cannot be used`, error);
    }
  }

  /** @returns the pairing; undefined before pairing @throws RelayError `storage_failed`, `other_user` */
  async readConfig(): Promise<Config | undefined> {
    const text = await this.read('config.json');
    if (text === undefined) return undefined;
    const config = parseJson(text);
    if (isConfig(config)) return config;
    const path = this.file('config.json');
    throw new RelayError('storage_failed', `${path} is not readable; pair the phone again`);
  }

  async writeConfig(config: Config): Promise<void> {
    await this.prepare();
    await writeFileDurably(this.file('config.json'), `${JSON.stringify(config, null, 2)}\n`);
  }

  /** Fields that cannot be read are null: earlier versions wrote fewer. */
  async readState(): Promise<RunState> {
    const state = parseJson((await this.read('state.json')) ?? '');
    const times = isTimes(state) ? state : { lastSyncAt: null, clockOffsetMs: null };
    const { lastError, problem, sims } = isTimes(state) ? asObject(state) : {};
    return {
      lastSyncAt: times.lastSyncAt,
      lastError: isFault(lastError) ? lastError : null,
      problem: isProblem(problem) ? problem : null,
      sims: isSims(sims) ? sims : null,
      clockOffsetMs: times.clockOffsetMs,
    };
  }

  /** Writes without fsync: it is written often, and an older state after a power cut is harmless. */
  async writeState(state: RunState): Promise<void> {
    const fresh = this.file('state.json.new');
    await writeFile(fresh, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    await rename(fresh, this.file('state.json'));
  }

  /**
   * Sends a request to the running agent. Only the agent may write the journals, so each request is a
   * separate file, which the agent deletes. If no agent runs, the request waits for the next start.
   */
  async leaveRequest(request: DeadLetterRequest): Promise<void> {
    await writeFileDurably(this.file(`wish-${randomUUID()}.json`), JSON.stringify(request));
  }

  /** Returns each request once; invalid files are removed. */
  async takeRequests(): Promise<DeadLetterRequest[]> {
    const requests: unknown[] = [];
    for (const name of (await readdir(this.path)).filter((one) => REQUEST_NAME.test(one))) {
      requests.push(parseJson(await readFile(this.file(name), 'utf8')));
      await unlink(this.file(name));
    }
    return requests.filter(isDeadLetterRequest);
  }

  /** @param now Unix milliseconds. @returns copies of damaged journals, of a month, that are still there. */
  async damagedJournals(now: number): Promise<string[]> {
    const names = (await readdir(this.path)).filter((name) => DAMAGED_NAME.test(name)).sort();
    const ages = await Promise.all(names.map(async (name) => now - (await stat(this.file(name))).mtimeMs));
    return names.filter((_, at) => (ages[at] ?? 0) < DAMAGE_TOLD_MS);
  }

  private async read(name: string): Promise<string | undefined> {
    try {
      return await readTextIfExists(this.file(name));
    } catch (error) {
      if (hasCode(error, 'EACCES'))
        throw new RelayError('other_user', `${this.file(name)} belongs to another user`, error);
      throw new RelayError('storage_failed', `${this.file(name)} cannot be read`, error);
    }
  }

  private file(name: string): string {
    return join(this.path, name);
  }
}
