/**
 * Obtains and renews the certificate for the setting `domain`. Keeps no state: attempts are in the store, so
 * that one of several daemons speaks with the authority, and all serve what it obtained.
 */
import type { Core } from '../../src/actions/core/core.js';
import {
  type RenewalResult,
  renewCertificate,
  requestAttempt,
} from '../../src/actions/installation/public-certificate.js';
import type { Log } from '../../src/base/io/log.js';
import { dhakaIso } from '../../src/base/values/clock.js';
import { translate } from '../../src/base/values/msg.js';
import { explainProblem } from '../../src/domain/certificates/public-certificate.js';
import { type JobRecords, recordRun } from './job-records.js';
import { createLoop, type Loop } from './loop.js';
import { logFailure } from './store-watch.js';

/** Interval between two looks at the store, in ms: what another daemon obtained is served after that. */
const LOOK_MS = 10_000;
/** The same while another daemon is at it, which may have been killed. */
const HELD_MS = 2_000;

export interface Renewer extends Pick<Loop, 'stop'> {
  /** Tries immediately, also after a failure: the operator has corrected something. */
  request(): void;
}

const IDLE: Renewer = { request: () => {}, stop: async () => {} };

/** Does nothing without the setting `domain`. */
export function startRenewer(
  core: Core,
  log: Log,
  records: Pick<JobRecords, 'record'>,
  serving: { refreshPublicCertificate(): Promise<void> },
): Renewer {
  const { domain } = core.settings;
  if (domain === '') return IDLE;
  const stopping = new AbortController();
  const holder = Buffer.from(core.random(16)).toString('hex');
  const job = { core, records, name: 'renew-certificate' } as const;
  // A daemon that was just started may have been started because something was corrected.
  let isRequested = true;

  /** @returns milliseconds until the next round. */
  async function round(): Promise<number> {
    if (isRequested) await requestAttempt(core);
    isRequested = false;
    const renew = () => renewCertificate(core, { holder, signal: stopping.signal });
    const result = await recordRun(job, renew, ({ outcome }) => (outcome === 'renewed' ? 1 : 0));
    if (!stopping.signal.aborted) {
      report(result);
      await serving.refreshPublicCertificate();
    }
    return result.outcome === 'held_by_another' ? HELD_MS : LOOK_MS;
  }

  function report(result: RenewalResult): void {
    if (result.outcome === 'renewed') log.info({ domain }, 'certificate of the domain obtained');
    if (result.outcome !== 'failed') return;
    const { problem, remedy } = explainProblem(result.problem, domain);
    const { detail } = result.problem;
    const fields = { domain, detail, next: translate(remedy), next_attempt: dhakaIso(result.nextAt) };
    log.error(fields, `no certificate: ${translate(problem)}`);
  }

  const failed = (error: unknown) =>
    logFailure(core, log, { err: error }, 'the certificate of the domain could not be renewed');
  const loop = createLoop({ run: round, pauseMs: LOOK_MS, failed, timers: core.timers });
  loop.start(0);
  return {
    request: () => {
      isRequested = true;
      loop.wake();
    },
    stop: async () => {
      stopping.abort();
      await loop.stop();
    },
  };
}
