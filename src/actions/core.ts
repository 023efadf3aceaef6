/**
 * What every action is handed: the store and the world around it. Opening a core opens no port, starts
 * no timer and prints nothing; daemon and command line open one each.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.js';
import { KashboxError } from '../base/errors.js';
import { type RandomSource, systemRandom } from '../base/ids.js';
import { createSecretBox, type SecretBox } from '../base/secret.js';
import type { SmsEngine } from '../channels/mfs/index.js';
import { type Home, openHome, sealingKey } from '../config/home.js';
import { readSettings, type Settings, type SettingTexts } from '../config/settings.js';
import { openStore, type Store } from '../store/store.js';

export interface Core {
  readonly store: Store;
  readonly settings: Settings;
  readonly home: Home;
  readonly clock: Clock;
  readonly random: RandomSource;
  readonly secrets: SecretBox;
  /** Loaded and compiled on first use: most commands never read an SMS. */
  smsEngine(): Promise<SmsEngine>;
  close(): Promise<void>;
}

export interface CoreOptions {
  /** The home folder (config/home, `homeFolder`). */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings from flags. */
  readonly given?: SettingTexts;
  readonly clock?: Clock;
  readonly random?: RandomSource;
  /** Called when the disk failed under a commit; the process should end. */
  readonly onDamage?: (error: unknown) => void;
}

/**
 * Opens home, settings and store.
 * @throws KashboxError `config_invalid`, `store_unreachable`, `store_newer`, `store_damaged`
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  const { clock = systemClock, random = systemRandom } = options;
  const home = openHome(options.folder);
  const settings = readSettings(options.given ?? {}, options.env, home.settings);
  const secrets = createSecretBox(sealingKey(home.folder, random), random);
  const store = await openStore({
    file: home.storeFile,
    databaseUrl: settings.databaseUrl === '' ? null : settings.databaseUrl,
    now: clock.now(),
    ...(options.onDamage === undefined ? {} : { onDamage: options.onDamage }),
  });
  let engine: Promise<SmsEngine> | undefined;
  return {
    store,
    settings,
    home,
    clock,
    random,
    secrets,
    smsEngine: () => {
      engine ??= loadSmsEngine(home.formatsFolder);
      return engine;
    },
    close: () => store.close(),
  };
}

/** The built-in formats and those that the operator added (config/home, `formatsFolder`). */
async function loadSmsEngine(folder: string): Promise<SmsEngine> {
  const { createSmsEngine, loadFormatFile } = await import('../channels/mfs/index.js');
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const formats = names.sort().map((name) => {
    try {
      return loadFormatFile(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : 'not readable';
      throw new KashboxError('config_invalid', { message: `SMS format ${name}: ${why}`, cause });
    }
  });
  return createSmsEngine(formats);
}
