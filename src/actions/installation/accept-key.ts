/**
 * Makes the key in the home folder the key of the store, after the previous one is permanently lost. Secrets
 * sealed with the previous key stay unchanged: if that key is restored and accepted, it opens them again.
 */
import { createSecretBox, keyFingerprint, type SecretBox } from '../../base/io/secret.js';
import { sealingKey } from '../../config/home.js';
import { startText } from '../../domain/audit-chain/chain.js';
import type { Db } from '../../store/schema/index.js';
import { audit } from '../../store/tables/audit.js';
import { chainHead } from '../../store/tables/audit-chain.js';
import { installationFact, setFact } from '../../store/tables/installation.js';
import { type SealedSecret, sealedTexts } from '../../store/tables/sealed-secrets.js';
import { chainMark } from '../audit/extend-chain.js';
import type { Core } from '../core/core.js';
import { opens } from '../core/sealing.js';

export interface AcceptedKey {
  /** Fingerprint of the new key. */
  readonly fingerprint: string;
  /** Fingerprint of the previous key; null if there was none. */
  readonly before: string | null;
  /** Secrets that the new key does not open; they must be set again. */
  readonly shut: readonly Pick<SealedSecret, 'kind' | 'id' | 'name'>[];
}

/**
 * Accepts the key, and creates one if there is none.
 * @throws KashboxError `secret_unreadable` if the file contains no key, `store_unreachable`
 */
export async function acceptKey(core: Core, input: { readonly who: string }): Promise<AcceptedKey> {
  const box = createSecretBox(sealingKey(core.home.folder, core.random), core.random);
  const fingerprint = keyFingerprint(box);
  return core.store.write(async (db) => {
    const now = core.clock.now();
    const before = (await installationFact(db, 'key_fingerprint')) ?? null;
    if (before !== fingerprint) {
      await setFact(db, 'key_fingerprint', fingerprint);
      await beginChain(db, box, now);
      await audit(core, db, input.who, 'secret_key.accept', fingerprint, {
        before: { fingerprint: before },
        after: { fingerprint },
      });
    }
    const shut = (await sealedTexts(db, now)).filter((one) => !opens(box, one));
    return { fingerprint, before, shut: shut.map(({ kind, id, name }) => ({ kind, id, name })) };
  });
}

/** Starts the verified part of the audit chain at its next entry: earlier ones cannot be verified. */
async function beginChain(db: Db, secrets: SecretBox, now: number): Promise<void> {
  const { number } = await chainHead(db);
  if (number === 0) return;
  await setFact(db, 'chain_start', startText(chainMark({ secrets }), { after: number, at: now }));
}
