/** Start and shutdown of the daemon: core, ports, jobs, signals. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { setFlagsFromString } from 'node:v8';
import { type Core, type CoreOptions, openCore } from '../src/actions/core/core.js';
import { isKashboxError, type KashboxError } from '../src/base/errors/errors.js';
import { type Log, type LogFormat, openLog } from '../src/base/io/log.js';
import { surviveTerminal } from '../src/base/io/stderr.js';
import type { Settings } from '../src/config/settings.js';
import type { NotificationSender } from '../src/notify/send.js';
import { createAlertSender } from '../src/notify/send-alert.js';
import { startAlerter } from './loops/alerter.js';
import { startButtonListener } from './loops/button-listener.js';
import { type Renewer, startRenewer } from './loops/certificate-renewer.js';
import { startChainExtender } from './loops/chain-extender.js';
import { followClock } from './loops/clock-watch.js';
import { openJobRecords } from './loops/job-records.js';
import { startJobs } from './loops/jobs.js';
import { createNotifier } from './loops/notifier.js';
import { startRechecker } from './loops/rechecker.js';
import { serverField, watchStore } from './loops/store-watch.js';
import { warnOfClock } from './loops/warnings.js';
import { type Serving, serve } from './serve.js';
import { openServiceManager, type ServiceManager } from './service-manager.js';

type DaemonOptions = Pick<CoreOptions, 'folder' | 'env' | 'given' | 'force'> & {
  /** Called once both ports are open. */
  onListening?(serving: Pick<Serving, 'https' | 'http' | 'fingerprint'>): void;
};

/**
 * V8 doubles the space for new objects whenever some survive, up to 32 MiB, a fifth of the daemon's memory
 * limit. 16 MiB serve requests as fast.
 */
const NO_LARGER_NURSERY = '--semi-space-growth-factor=1';

/** Exit codes of the process. 70 (EX_SOFTWARE) informs a supervisor that only a restart can help. */
const STOPPED = 0;
const DAMAGED = 70;
const INTERRUPTED_TWICE = 1;
/** Time in ms to answer the requests whose commit failed. */
const LAST_WORDS_MS = 100;

/**
 * Runs until SIGTERM or SIGINT, or until the disk fails under the store. SIGHUP reloads the certificate.
 * @returns the exit code
 * @throws KashboxError for what keeps it from starting: `config_invalid`, `port_unavailable`, `store_…`
 */
export async function runDaemon(options: DaemonOptions): Promise<number> {
  setFlagsFromString(NO_LARGER_NURSERY);
  surviveTerminal();
  let end: (code: number) => void = () => {};
  const ended = new Promise<number>((resolve) => {
    end = resolve;
  });
  let damage: unknown;
  const faults: KashboxError[] = [];
  const core = await openCore({
    ...options,
    onDamage: (error) => {
      damage = error;
      end(DAMAGED);
    },
    onFormatFault: (fault) => faults.push(fault),
  });
  const { log, lost, close } = openLog(core.settings.logLevel, undefined, logFormatOf(core.settings));
  warnOfUnsafeSettings(log, options.env, core.settings);
  try {
    if (core.keyProblem !== null) throw core.keyProblem;
    await loadFormats(core, faults, log);
    await watchStore(core, log);
    await warnOfClock(core, log);
    const records = openJobRecords(core, log);
    const sender = lateSender();
    const notifier = createNotifier(core, log, { sender, records });
    const serving = await serve(core, log, {
      jobs: records.all,
      attempts: () => notifier.attempts(),
      lostLogLines: lost,
    });
    const deafen = core.hearOthers();
    notifier.start();
    const rechecker = startRechecker(core, log, records);
    const alertSender = createAlertSender({ sender, env: options.env });
    const alerter = startAlerter(core, log, { alertSender, records });
    const buttons = startButtonListener(core, log);
    const jobs = startJobs(core, log, records);
    const chain = startChainExtender(core, log, records);
    const renewer = startRenewer(core, log, records, serving);
    const clock = followClock(core, log, jobs);
    const manager = openServiceManager(log, options.env);
    const signals = listenToSignals({ log, close, stop: () => end(STOPPED), serving, renewer, manager });
    log.info({ https: serving.https, http: serving.http, ...serverField(core) }, 'listening');
    options.onListening?.(serving);
    void manager.ready(servingText(serving));
    const code = await ended;
    if (code === DAMAGED) {
      // Only a restart can tell what is on the disk, so no new request is served.
      await sleep(LAST_WORDS_MS);
      const next = isKashboxError(damage) ? damage.hint : undefined;
      log.fatal({ err: damage, next }, 'the store cannot be used any more; stopping at once');
      return code;
    }
    await serving.drain();
    const running = [notifier, rechecker, alerter, buttons, clock, jobs, renewer];
    await Promise.all(running.map((part) => part.stop()));
    await chain.stop();
    await deafen();
    await records.close();
    signals.stop();
    await manager.close();
    log.info('stopped');
    return code;
  } finally {
    if (damage === undefined) await core.close();
    await close();
  }
}

/** Loads formats before the first SMS, to log a broken file at once. @param faults filled while loading. */
async function loadFormats(core: Core, faults: readonly KashboxError[], log: Log): Promise<void> {
  await core.smsEngine();
  for (const { message, hint } of faults) log.error({ remedy: hint }, `left out: ${message}`);
}

const STDERR = 2;

/** Pipes, files and the journal are read by programs. */
function logFormatOf({ logFormat }: Settings): LogFormat {
  if (logFormat !== 'auto') return logFormat;
  return isatty(STDERR) ? 'text' : 'json';
}

/** Loaded with the first notification: many shops use none, and it takes memory. */
function lateSender(): NotificationSender {
  let loaded: Promise<NotificationSender> | undefined;
  return {
    send: async (post) => {
      loaded ??= import('../src/notify/send.js').then(({ createSender }) => createSender());
      return (await loaded).send(post);
    },
  };
}

const servingText = ({ https }: Serving): string => `Serving ${https}`;

interface SignalOptions {
  readonly log: Log;
  readonly serving: Serving;
  readonly renewer: Renewer;
  readonly manager: ServiceManager;
  /** Ends the log. */
  close(): Promise<void>;
  stop(): void;
}

function listenToSignals({ log, serving, renewer, manager, close, stop }: SignalOptions) {
  let stopping = false;
  const onStop = (signal: NodeJS.Signals) => {
    if (stopping) {
      log.warn({ signal }, 'told twice to stop: leaving what is under way');
      void close().then(() => process.exit(INTERRUPTED_TWICE));
      return;
    }
    stopping = true;
    log.info({ signal }, 'stopping: answering what is under way');
    void manager.stopping();
    stop();
  };
  const onReload = async () => {
    void manager.reloading();
    await serving.reload();
    renewer.request();
    await manager.ready(servingText(serving));
  };
  // A closing terminal sends SIGHUP as well: the daemon goes on without it, as under nohup.
  const reload = () => void onReload();
  process.on('SIGTERM', onStop).on('SIGINT', onStop).on('SIGHUP', reload);
  return {
    stop: () => process.off('SIGTERM', onStop).off('SIGINT', onStop).off('SIGHUP', reload),
  };
}

function warnOfUnsafeSettings(log: Log, env: CoreOptions['env'], settings: Settings): void {
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    log.error(
      'NODE_TLS_REJECT_UNAUTHORIZED=0 is set: whatever this process calls could be anybody. Remove it.',
    );
  }
  const extra = env.NODE_EXTRA_CA_CERTS;
  if (extra !== undefined && extra !== '') {
    log.error(
      'NODE_EXTRA_CA_CERTS is set: anyone with a key of that file can impersonate any shop. Remove it.',
    );
  }
  if (settings.allowPrivateWebhooks) {
    log.error(
      'allowPrivateWebhooks is on: shops can make this daemon call into its own network, and without ' +
        'encryption. It is for development only.',
    );
  }
}
