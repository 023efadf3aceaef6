/**
 * The home folder: where an installation keeps its own settings, its key file, certificate and store.
 * `kashbox.json` holds what an operator may read and edit by hand; the ledger is never kept here.
 */
import { chmodSync, existsSync, linkSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { JSONFileSync } from 'lowdb/node';
import { KashboxError } from '../base/errors/errors.js';
import { makeFolder, syncFolder, writeDurably } from '../base/io/durable-file.js';
import type { RandomSource } from '../base/values/ids.js';
import { requireAccess } from './folder-access.js';
import type { SettingTexts } from './settings.js';

export interface Home {
  readonly folder: string;
  /** SQLite file of the ledger. */
  readonly storeFile: string;
  readonly tlsFolder: string;
  /** SMS formats that the operator added, one JSON file each. */
  readonly formatsFolder: string;
  /** The settings of `kashbox.json`. */
  readonly settings: SettingTexts;
}

const KEY_BYTES = 32;

/** @returns the home folder's path: `KASHBOX_HOME`, else `~/.kashbox`. */
export function homeFolder(env: Readonly<Record<string, string | undefined>>): string {
  const chosen = env.KASHBOX_HOME;
  return chosen === undefined || chosen === '' ? join(homedir(), '.kashbox') : chosen;
}

/**
 * Opens the home folder and makes it (mode 0700) when it is not there yet.
 * @throws KashboxError `store_unreachable` if it cannot be made or read, `config_invalid` for a broken
 * `kashbox.json`.
 */
export function openHome(folder: string): Home {
  requireAccess(folder);
  try {
    makeFolder(folder, 0o700);
  } catch (cause) {
    throw new KashboxError('store_unreachable', { message: `The folder ${folder} cannot be created`, cause });
  }
  return {
    folder,
    storeFile: join(folder, 'kashbox.db'),
    tlsFolder: join(folder, 'tls'),
    formatsFolder: join(folder, 'formats'),
    settings: storedSettings(join(folder, 'kashbox.json')),
  };
}

function storedSettings(file: string): SettingTexts {
  if (!existsSync(file)) return {};
  const { settings = {} } = objectOf(loadJson(file), `${file} is not an object`);
  const named = objectOf(settings, `The settings in ${file} are not an object`);
  return Object.fromEntries(
    Object.entries(named).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(',') : String(value),
    ]),
  );
}

/**
 * Adds settings to `kashbox.json`, or changes them there; everything else in the file stays.
 * @throws KashboxError `config_invalid` for a broken file, `store_unreachable` if it cannot be written
 */
export function storeSettings(folder: string, settings: SettingTexts): void {
  const file = join(folder, 'kashbox.json');
  const content = existsSync(file) ? objectOf(loadJson(file), `${file} is not an object`) : {};
  const before = objectOf(content.settings ?? {}, `The settings in ${file} are not an object`);
  const draft = `${file}.${process.pid}`;
  try {
    const text = JSON.stringify({ ...content, settings: { ...before, ...settings } }, null, 2);
    writeDurably(draft, `${text}\n`, 0o600);
    renameSync(draft, file);
    syncFolder(folder);
  } catch (cause) {
    throw new KashboxError('store_unreachable', { message: `${file} cannot be written`, cause });
  }
}

function loadJson(file: string): unknown {
  try {
    // Its presets keep nothing and read nothing where NODE_ENV is "test".
    return new JSONFileSync<unknown>(file).read();
  } catch (cause) {
    throw new KashboxError('config_invalid', { message: `${file} is not valid JSON`, cause });
  }
}

/** A list would pass for an object without settings. @throws KashboxError `config_invalid` */
function objectOf(value: unknown, fault: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new KashboxError('config_invalid', {
    message: fault,
    hint: 'Use the form { "settings": { "port": 8443 } }, or remove the file.',
  });
}

export function sealingKeyFile(folder: string): string {
  return join(folder, 'secret.key');
}

export function hasSealingKey(folder: string): boolean {
  return existsSync(sealingKeyFile(folder));
}

/**
 * Loads the installation's key, or creates it if it is missing. Only the store can say if it may be missing
 * (actions/core/sealing). It is written completely under another name and then linked, so that two processes
 * that start together load the same key. It is synced before anything is sealed with it: a key lost in a
 * power cut would make every sealed secret unreadable.
 * @returns 32 bytes
 * @throws KashboxError `store_unreachable` if the file can be neither read nor created.
 */
export function sealingKey(folder: string, random: RandomSource): Uint8Array {
  const file = sealingKeyFile(folder);
  try {
    if (!hasSealingKey(folder)) makeKeyFile(folder, file, random);
    chmodSync(file, 0o600);
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'hex');
  } catch (cause) {
    throw new KashboxError('store_unreachable', {
      message: `The key file ${file} cannot be read or created`,
      hint: 'Run as the user who owns the home folder, and check that its disk is writable.',
      cause,
    });
  }
}

function makeKeyFile(folder: string, file: string, random: RandomSource): void {
  const draft = `${file}.${process.pid}`;
  writeDurably(draft, `${Buffer.from(random(KEY_BYTES)).toString('hex')}\n`, 0o600);
  try {
    linkSync(draft, file);
  } catch (error) {
    if (!existsSync(file)) throw error;
  } finally {
    rmSync(draft);
  }
  syncFolder(folder);
}
