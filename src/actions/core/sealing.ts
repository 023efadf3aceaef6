/**
 * Purpose under which each secret in the store is sealed, and the check that the key file is the store's. A
 * wrong or missing key is never accepted: secrets sealed with it could not be opened with the right one.
 *
 *   fingerprint in the store     secret.key      result
 *   the same                     exists          it is used
 *   another                      exists          refused: it belongs to another store
 *   any                          missing         refused: it must be restored
 *   none, secrets sealed         opens one       adopted: its fingerprint is stored from now on
 *   none, secrets sealed         opens none      refused
 *   none, nothing sealed         exists or not   adopted, created if it is missing
 */
import { isKashboxError, KashboxError } from '../../base/errors/errors.js';
import { createSecretBox, keyFingerprint, refusingBox, type SecretBox } from '../../base/io/secret.js';
import type { RandomSource } from '../../base/values/ids.js';
import { hasSealingKey, sealingKey, sealingKeyFile } from '../../config/home.js';
import type { Store } from '../../store/store.js';
import { installationFact, keepFirstFact } from '../../store/tables/installation.js';
import { type SealedSecret, sealedTexts } from '../../store/tables/sealed-secrets.js';

const PURPOSES: Readonly<Record<SealedSecret['kind'], (id: string) => string>> = {
  webhook: (id) => `brand:${id}:webhook`,
  exchange: (id) => `account:${id}:exchange`,
  node: (id) => `node:${id}`,
  acquirer: (id) => `acquirer:${id}`,
  alert: (id) => `alert-target:${id}`,
  pairing: (id) => `pairing:${id}`,
};

/** @param id of the row that the secret belongs to. */
export function sealPurpose(kind: SealedSecret['kind'], id: string): string {
  return PURPOSES[kind](id);
}

/** True if a key opens a sealed secret. The opened secret never leaves this file. */
export function opens(secrets: SecretBox, sealed: SealedSecret): boolean {
  return ifReadable(() => secrets.open(sealed.text, sealPurpose(sealed.kind, sealed.id))) !== null;
}

/** @returns null where something that `open` opens was sealed under another key file. */
export function ifReadable<Value>(open: () => Value): Value | null {
  try {
    return open();
  } catch (error) {
    if (isKashboxError(error, 'secret_unreadable')) return null;
    throw error;
  }
}

interface KeyMeans {
  /** Path of the home folder. */
  readonly folder: string;
  readonly store: Store;
  readonly random: RandomSource;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

export interface OpenedKey {
  readonly secrets: SecretBox;
  /** Reason why nothing can be sealed or opened; null if the key belongs to the store. */
  readonly problem: KashboxError | null;
}

/**
 * @returns a box that refuses everything where the key does not belong to the store: commands that need no
 *   secret still work.
 * @throws KashboxError `store_unreachable` and others of the store or the home
 */
export async function openKey(means: KeyMeans): Promise<OpenedKey> {
  try {
    return { secrets: await boxForStore(means), problem: null };
  } catch (error) {
    if (!isKashboxError(error, 'secret_unreadable')) throw error;
    return { secrets: refusingBox(error), problem: error };
  }
}

async function boxForStore(means: KeyMeans): Promise<SecretBox> {
  const { folder, store, random, now } = means;
  const known = await store.read((db) => installationFact(db, 'key_fingerprint'));
  const isThere = hasSealingKey(folder);
  if (known !== undefined && !isThere) throw missing(folder, known);
  const sealed = known === undefined ? await store.read((db) => sealedTexts(db, now)) : [];
  if (sealed.length > 0 && !isThere) throw missing(folder, null);
  const box = createSecretBox(sealingKey(folder, random), random);
  const own = keyFingerprint(box);
  const owner = known ?? (await adopt(means, box, sealed));
  if (owner !== own) throw foreignKey(folder, own, owner);
  return box;
}

/** @returns the fingerprint stored afterwards: another process may have been faster. */
async function adopt({ folder, store }: KeyMeans, box: SecretBox, sealed: readonly SealedSecret[]) {
  const own = keyFingerprint(box);
  // Not all: of a store whose key was once replaced, some are sealed under the one that is lost.
  if (sealed.length > 0 && !sealed.some((one) => opens(box, one))) throw foreignKey(folder, own, null);
  try {
    await store.write((db) => keepFirstFact(db, 'key_fingerprint', own));
  } catch (error) {
    // Nothing can be written now; the next start keeps it.
    if (isKashboxError(error)) return own;
    throw error;
  }
  return (await store.read((db) => installationFact(db, 'key_fingerprint'))) ?? own;
}

const LOST =
  'If it is lost permanently: `kashbox secret-key rebind` continues with another key and ' +
  'lists what must be set again.';

function missing(folder: string, owner: string | null): KashboxError {
  const whose = owner === null ? 'this store' : `this store (fingerprint ${owner})`;
  return new KashboxError('secret_unreadable', {
    message: `${sealingKeyFile(folder)} is missing, and secrets of ${whose} are encrypted with it`,
    hint: `Restore it from a backup, or copy it from another machine with a daemon on this store. ${LOST}`,
  });
}

function foreignKey(folder: string, own: string, owner: string | null): KashboxError {
  const whose = owner === null ? 'it cannot decrypt any secret in it' : `it belongs to the key ${owner}`;
  return new KashboxError('secret_unreadable', {
    message: `${sealingKeyFile(folder)} (fingerprint ${own}) is not the key of this store: ${whose}`,
    hint: `Restore the secret.key of this store; all machines with one store need the same key. ${LOST}`,
  });
}
