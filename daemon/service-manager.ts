/**
 * Says to systemd how the daemon is, where the unit is of `Type=notify`: it listens, it is alive, it reloads,
 * it stops. Without NOTIFY_SOCKET it does nothing. Node has no datagram sockets for files, so
 * `systemd-notify`, which is wherever systemd is, carries each message; the unit says `NotifyAccess=all`.
 */
import { execFile } from 'node:child_process';
import type { Log } from '../src/base/io/log.js';

type Variables = Readonly<Record<string, string | undefined>>;

/** systemd is answered within milliseconds; a manager that does not listen must hold up nothing. */
const DEADLINE_MS = 5_000;

export type ServiceManager = ReturnType<typeof openServiceManager>;

/** @param env NOTIFY_SOCKET, and WATCHDOG_USEC and WATCHDOG_PID if systemd expects keep-alive messages. */
export function openServiceManager(log: Log, env: Variables) {
  if ((env.NOTIFY_SOCKET ?? '') === '') return SILENT;
  let last = Promise.resolve();
  let hasFailed = false;
  /** One after the other: "ready" must not arrive before "reloading". */
  const send = (...lines: readonly string[]): Promise<void> => {
    last = last.then(async () => {
      const error = await carry(lines, env);
      if (error === null || hasFailed) return;
      hasFailed = true;
      log.error({ err: error }, 'systemd could not be told of this daemon: is systemd-notify on its PATH?');
    });
    return last;
  };
  const watchdog = startWatchdog(env, () => void send('WATCHDOG=1'));
  return {
    ready: (status: string): Promise<void> => send('READY=1', `STATUS=${status}`),
    reloading: (): Promise<void> => send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1_000n}`),
    stopping: (): Promise<void> => send('STOPPING=1', 'STATUS=Answering what is under way'),
    /** Stops the keep-alive messages, and waits until all messages are sent. */
    close: async (): Promise<void> => {
      clearInterval(watchdog);
      await last;
    },
  };
}

const nothing = async (): Promise<void> => {};
const SILENT = { ready: nothing, reloading: nothing, stopping: nothing, close: nothing };

/** Twice within the time that systemd waits. An event loop that hangs runs no timer, and sends none. */
function startWatchdog(env: Variables, sign: () => void): NodeJS.Timeout | undefined {
  const everyMs = Number(env.WATCHDOG_USEC) / 2_000;
  const isOurs = env.WATCHDOG_PID === undefined || Number(env.WATCHDOG_PID) === process.pid;
  return everyMs >= 1 && isOurs ? setInterval(sign, everyMs).unref() : undefined;
}

/** @returns why it did not arrive, or null. */
function carry(lines: readonly string[], { NOTIFY_SOCKET, PATH }: Variables): Promise<Error | null> {
  return new Promise((resolve) => {
    const options = { env: { NOTIFY_SOCKET, PATH }, timeout: DEADLINE_MS };
    execFile('systemd-notify', lines, options, (error) => resolve(error));
  });
}
