/** Whether the key file is the one under which the secrets of this store are sealed. */

import { keyFingerprint } from '../../base/io/secret.js';
import { say } from '../../base/values/say.js';
import type { Core } from '../core/core.js';
import { type Finding, fail, ok } from './check.js';

export function checkKey({ keyProblem, secrets }: Core): Finding {
  if (keyProblem !== null) return fail('secret key', keyProblem.message, keyProblem.hint);
  return ok('secret key', say`that of this store, fingerprint ${keyFingerprint(secrets)}`);
}
