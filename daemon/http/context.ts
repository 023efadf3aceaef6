/** Dependencies of the routes; created once, in app.ts. */
import type { Core } from '../../src/actions/core/core.js';
import type { Log } from '../../src/base/io/log.js';
import type { PhoneSubscribers } from '../relay/phone-subscribers.js';
import type { Limits } from './gates/limits.js';

export interface RouteContext {
  readonly core: Core;
  readonly log: Log;
  readonly limits: Limits;
  readonly phones: PhoneSubscribers;
  /** Aborted when the process is about to end; event streams end then. */
  readonly draining: AbortSignal;
}
