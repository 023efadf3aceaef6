/**
 * The dependencies of every action: store, clock, random, settings. Opening a core opens no port, starts no
 * timer and prints nothing.
 */
import type { KashboxError } from '../../base/errors/errors.js';
import type { SecretBox } from '../../base/io/secret.js';
import { type Clock, systemClock } from '../../base/values/clock.js';
import { type RandomSource, systemRandom } from '../../base/values/ids.js';
import { systemTimers, type Timers } from '../../base/values/timers.js';
import { createTopic, type Topic } from '../../base/values/topic.js';
import type { SmsEngine } from '../../channels/mfs/index.js';
import { type Home, openHome } from '../../config/home.js';
import { parseSettings, type Settings, type SettingTexts } from '../../config/settings.js';
import { openStore } from '../../store/open.js';
import type { Store, StoreHints } from '../../store/store.js';
import { type AccountMemory, createAccountMemory } from './account-cache.js';
import { createHeartbeatBatch, type HeartbeatBatch } from './heartbeats.js';
import {
  requireFolder,
  requireStoreFile,
  requireStoreNotLost,
  unmarkCopied,
  whyCopied,
} from './require-home.js';
import { type OpenedKey, openKey } from './sealing.js';
import { createExternalSources, type ExternalSources, recordSourceHealth } from './sources.js';

export interface Core {
  readonly store: Store;
  readonly settings: Settings;
  readonly home: Home;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly random: RandomSource;
  /** Refuses to seal and to open where `keyProblem` is not null. */
  readonly secrets: SecretBox;
  /** Reason why the key file does not belong to the store; null if it does. */
  readonly keyProblem: KashboxError | null;
  /** Notified with the id of every session that an action has changed. */
  readonly moved: Topic;
  /** Notified with the id of every phone for which an action has work. */
  readonly called: Topic;
  /** Notifies `moved` and `called` of other processes' actions as well. @returns a function that ends it. */
  hearOthers(): () => Promise<void>;
  /**
   * Notified with the id of an account that a new session could not use, because all its amounts are held.
   */
  readonly soldOut: Topic;
  readonly accounts: AccountMemory;
  /** Records heartbeats of phones, several in one commit. */
  readonly heartbeats: HeartbeatBatch;
  /** Chains and exchanges, queried when a claim refers to a transfer there. */
  readonly outside: ExternalSources;
  /** Loaded and compiled on first use: most commands never read an SMS. */
  smsEngine(): Promise<SmsEngine>;
  close(): Promise<void>;
}

/** Dependencies of code that writes rows in a database transaction: their time and their identifiers. */
export type WriteDeps = Pick<Core, 'clock' | 'random'>;

export interface CoreOptions {
  /** The home folder (config/home, `homeFolder`). */
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Settings from flags. */
  readonly given?: SettingTexts;
  readonly clock?: Clock;
  readonly random?: RandomSource;
  /** Refuses to open if there is no installation, instead of creating one. */
  readonly mustExist?: boolean;
  /** Called when the disk failed during a commit; the process should end. Only a daemon sets it. */
  readonly onDamage?: (error: unknown) => void;
  /** Makes a store that was copied away the live one again. */
  readonly force?: boolean;
  /** Called for each SMS format of the operator that is left out; without it such a file is an error. */
  readonly onFormatFault?: (fault: KashboxError) => void;
}

/**
 * Opens home, settings and store. Of a store that was copied away (copied-store.ts) everybody may read, and
 * nobody writes.
 * @throws KashboxError `config_invalid`, `store_unreachable`, `store_newer`, `store_damaged`; `state_refused`
 * for a daemon on a store that was copied away
 */
export async function openCore(options: CoreOptions): Promise<Core> {
  // A source of its own, as it has its own clock: row identifiers of one source and one moment rise.
  const { clock = systemClock, random = (size) => systemRandom(size) } = options;
  const { mustExist = false } = options;
  if (mustExist) requireFolder(options.folder);
  const home = openHome(options.folder);
  const settings = parseSettings(options.given ?? {}, options.env, home.settings);
  (mustExist ? requireStoreFile : requireStoreNotLost)(home, settings.databaseUrl);
  const store = await openStore({
    file: home.storeFile,
    databaseUrl: settings.databaseUrl === '' ? null : settings.databaseUrl,
    now: clock.now(),
    mustExist,
    ...(options.onDamage === undefined ? {} : { onDamage: options.onDamage }),
  });
  const key = await requireLive(store, options)
    .then(() => openKey({ folder: home.folder, store, random, now: clock.now() }))
    .catch(async (error: unknown) => {
      await store.close();
      throw error;
    });
  const engine = () =>
    import('./load-sms-engine.js').then((module) =>
      module.loadSmsEngine(home.formatsFolder, options.onFormatFault),
    );
  const outside = createExternalSources(settings, clock, random);
  return createCore({ store, settings, home, clock, random, key, outside, engine, timers: systemTimers });
}

async function requireLive(store: Store, { force = false, onDamage }: CoreOptions): Promise<void> {
  const copied = await store.read(whyCopied);
  if (copied === null) return;
  if (force) await store.write(unmarkCopied);
  else if (onDamage !== undefined) throw copied;
  else store.writing.hold(copied);
}

interface CoreParts extends Pick<Core, 'store' | 'settings' | 'home' | 'clock' | 'timers' | 'random'> {
  readonly key: OpenedKey;
  readonly outside: ExternalSources;
  /** Called when an SMS is first read, and again after a failure. */
  engine(): Promise<SmsEngine>;
}

/** @returns a core over parts that are open; closing it closes the store. */
export function createCore({ key, engine: load, ...parts }: CoreParts): Core {
  const { store, outside, timers } = parts;
  const { topics, hearOthers } = createSharedTopics(store.hints, ['moved', 'called']);
  let engine: Promise<SmsEngine> | undefined;
  return {
    ...parts,
    secrets: key.secrets,
    keyProblem: key.problem,
    ...topics,
    hearOthers,
    soldOut: createTopic(),
    accounts: createAccountMemory(),
    heartbeats: createHeartbeatBatch(store, timers),
    smsEngine: () => {
      engine ??= load().catch((error: unknown) => {
        engine = undefined;
        throw error;
      });
      return engine;
    },
    close: async () => {
      await recordHealth({ store, outside });
      await store.close();
    },
  };
}

/** A failure to save source health must not fail a command. */
async function recordHealth(core: Pick<Core, 'store' | 'outside'>): Promise<void> {
  try {
    await recordSourceHealth(core);
  } catch {}
}

interface SharedTopics<Name extends string> {
  readonly topics: Readonly<Record<Name, Topic>>;
  /** Subscribes to changes made by other processes. @returns a function that unsubscribes. */
  hearOthers(): () => Promise<void>;
}

/** @param hints null where every process is alone. */
function createSharedTopics<Name extends string>(
  hints: StoreHints | null,
  names: readonly Name[],
): SharedTopics<Name> {
  const own = new Map<string, Topic>(names.map((name) => [name, createTopic()]));
  const shared = [...own].map(([topic, here]): [string, Topic] => {
    const tell = (id: string) => {
      here.tell(id);
      hints?.send({ topic, id });
    };
    return [topic, { ...here, tell }];
  });
  return {
    topics: Object.fromEntries(shared) as Record<Name, Topic>,
    hearOthers: () => hints?.listen(({ topic, id }) => own.get(topic)?.tell(id, false)) ?? (async () => {}),
  };
}
