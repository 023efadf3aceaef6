/**
 * The agent's home folder: who it is paired with, its journals, and what it last heard. Knows where things
 * lie and that nobody else may read them.
 */
import { chmod, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RelayError } from '../core/errors.js';
import type { Trust } from '../core/pairing.js';
import { makeFolder, readIfThere, writeFileDurably } from './node-files.js';

export interface Config {
  readonly url: string;
  readonly deviceId: string;
  readonly deviceName: string;
  readonly deviceKey: string;
  readonly trust: Trust;
  /** Milliseconds since the Unix epoch. */
  readonly pairedAt: number;
}

/** What a running agent leaves for `status`. Times are milliseconds since the Unix epoch. */
export interface RunState {
  readonly lastSyncAt: number | null;
  readonly lastError: { readonly code: string; readonly message: string; readonly at: number } | null;
  /** What keeps the agent from its work, and since when. */
  readonly trouble: { readonly message: string; readonly at: number } | null;
  /** Server time minus phone time. */
  readonly clockOffsetMs: number | null;
}

const EMPTY_STATE: RunState = { lastSyncAt: null, lastError: null, trouble: null, clockOffsetMs: null };

export class Home {
  readonly path: string;

  constructor(path: string) {
    this.path = path;
  }

  get queuePath(): string {
    return join(this.path, 'queue.journal');
  }

  get deadLettersPath(): string {
    return join(this.path, 'dead-letters.journal');
  }

  get outboxPath(): string {
    return join(this.path, 'outbox.journal');
  }

  get lockPath(): string {
    return join(this.path, 'run.lock');
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

  /** Whom the phone is paired with; undefined before pairing. */
  async readConfig(): Promise<Config | undefined> {
    const text = await this.#read('config.json');
    if (text === undefined) return undefined;
    const config = parseConfig(text);
    if (config === undefined) {
      throw new RelayError(
        'storage_failed',
        `${this.#file('config.json')} is not readable; pair the phone again`,
      );
    }
    return config;
  }

  async writeConfig(config: Config): Promise<void> {
    await this.prepare();
    await writeFileDurably(this.#file('config.json'), `${JSON.stringify(config, null, 2)}\n`);
  }

  async readState(): Promise<RunState> {
    const text = await this.#read('state.json');
    return text === undefined ? EMPTY_STATE : (parseState(text) ?? EMPTY_STATE);
  }

  /** Not synced: it is written often, and after a power cut an older one does no harm. */
  async writeState(state: RunState): Promise<void> {
    const fresh = `${this.#file('state.json')}.new`;
    await writeFile(fresh, `${JSON.stringify(state)}\n`, { mode: 0o600 });
    await rename(fresh, this.#file('state.json'));
  }

  async #read(name: string): Promise<string | undefined> {
    try {
      return (await readIfThere(this.#file(name)))?.toString('utf8');
    } catch (error) {
      throw new RelayError('storage_failed', `${this.#file(name)} cannot be read`, error);
    }
  }

  #file(name: string): string {
    return join(this.path, name);
  }
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

function parseConfig(text: string): Config | undefined {
  const { url, deviceId, deviceName, deviceKey, trust, pairedAt } = parse(text) ?? {};
  if (typeof url !== 'string' || typeof deviceId !== 'string' || typeof deviceName !== 'string')
    return undefined;
  if (typeof deviceKey !== 'string' || typeof pairedAt !== 'number' || !isTrust(trust)) return undefined;
  return { url, deviceId, deviceName, deviceKey, trust, pairedAt };
}

function isTrust(value: unknown): value is Trust {
  if (typeof value !== 'object' || value === null) return false;
  const { kind, pem, sha256 } = value as Record<string, unknown>;
  if (kind === 'ca') return typeof pem === 'string';
  if (kind === 'pin') return typeof sha256 === 'string';
  return kind === 'system';
}

function parseState(text: string): RunState | undefined {
  const { lastSyncAt, lastError, trouble, clockOffsetMs } = parse(text) ?? {};
  const isTime = (value: unknown): value is number | null => value === null || typeof value === 'number';
  if (!isTime(lastSyncAt) || !isTime(clockOffsetMs)) return undefined;
  return { lastSyncAt, lastError: parseError(lastError), trouble: parseTold(trouble), clockOffsetMs };
}

function parseError(value: unknown): RunState['lastError'] {
  const told = parseTold(value);
  const { code } = (value ?? {}) as Record<string, unknown>;
  return told !== null && typeof code === 'string' ? { code, ...told } : null;
}

/** Null for anything else: an earlier version wrote less. */
function parseTold(value: unknown): RunState['trouble'] {
  if (typeof value !== 'object' || value === null) return null;
  const { message, at } = value as Record<string, unknown>;
  return typeof message === 'string' && typeof at === 'number' ? { message, at } : null;
}
