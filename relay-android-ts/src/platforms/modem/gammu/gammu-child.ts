/** Keeps one gammu-smsd running: starts it again when it ends, and kills it when it hangs. */
import { type ChildProcess, spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../../core/ports.js';
import { kill, pids } from '../../../ports/programs.js';
import type { GammuFolder } from './gammu-folder.js';

/** Time limits, ms. */
export const GAMMU_TIMES = {
  /**
   * Maximum time without a log line, after which gammu is considered hung; gammu itself sleeps for 30 s if a
   * modem does not answer.
   */
  silenceMs: 45_000,
  /** Maximum time without an answer from the modem, after which gammu is restarted. */
  deafMs: 120_000,
  firstPauseMs: 1000,
  longestPauseMs: 10_000,
  /** Maximum time between SIGTERM and SIGKILL. */
  endMs: 3000,
  /** Maximum time that the parts of a long SMS wait for each other. */
  joinMs: 600_000,
  /** Maximum time without an answer after a start, after which the state reports it. */
  answerMs: 15_000,
  /**
   * Maximum time that an SMS waits until gammu begins to send it, because gammu first reads all received SMS;
   * after that gammu is restarted.
   */
  beginMs: 300_000,
  /** Maximum time that gammu waits for the network's answer to one part, in seconds. */
  sendSeconds: 90,
};
export type GammuTimes = typeof GAMMU_TIMES;

interface ChildPlan {
  readonly config: string;
  /** PATH in which gammu-smsd is looked for. */
  readonly path: string;
  readonly clock: Clock;
  readonly times: GammuTimes;
  /** Called before each start, while gammu does not run. @returns false if it must not be started */
  readonly prepare: () => Promise<boolean>;
  /** Looked at while it runs: without its device it is ended. */
  readonly isThere: () => Promise<boolean>;
  readonly onStart: (pid: number) => void;
  /** Called when gammu hangs and is killed, which may take long if the kernel waits for the device. */
  readonly onHang: () => void;
  readonly onLine: (line: string) => void;
  /** Called when gammu has ended, after its last line was passed to `onLine`. */
  readonly onEnd: (why: EndOfChild) => void;
  /** Milliseconds that it may be silent beyond `silenceMs`, since it waits for the network. */
  readonly patience: () => number;
}

export interface EndOfChild {
  readonly isMissing: boolean;
  /** True if it was killed because it hung. */
  readonly hung: boolean;
}

const MAX_LINE = 1 << 20;
const LOOK_EVERY_MS = 1000;
const GONE_WITHIN_MS = 3000;
const GONE_LOOK_MS = 10;

export class GammuChild {
  private child: ChildProcess | undefined;
  private isClosed = false;
  private hung = false;
  private pauseMs: number;
  private lastLineAt = 0;
  private lastAnswerAt = 0;
  private wake: () => void = () => {};
  private loop: Promise<void> = Promise.resolve();

  constructor(private readonly plan: ChildPlan) {
    this.pauseMs = plan.times.firstPauseMs;
  }

  start(): void {
    this.loop = this.work();
  }

  /** The modem has answered: what ends from now on is started again soon. */
  answered(): void {
    this.lastAnswerAt = this.plan.clock.now();
    this.pauseMs = this.plan.times.firstPauseMs;
  }

  /** Ends it at once, and starts it again. Where none runs, the pause before the next start ends. */
  restart(): void {
    if (this.child === undefined) this.wake();
    else this.child.kill('SIGKILL');
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.wake();
    this.child?.kill('SIGTERM');
    const off = this.plan.clock.after(this.plan.times.endMs, () => this.child?.kill('SIGKILL'));
    await this.loop;
    off();
  }

  private async work(): Promise<void> {
    while (!this.isClosed) {
      if ((await this.plan.prepare()) && !this.isClosed) await this.run();
      if (!this.isClosed) await this.pause();
    }
  }

  private async pause(): Promise<void> {
    const { clock, times } = this.plan;
    const ms = this.pauseMs;
    this.pauseMs = Math.min(ms * 2, times.longestPauseMs);
    await new Promise<void>((resolve) => {
      const off = clock.after(ms, resolve);
      this.wake = () => {
        off();
        resolve();
      };
    });
    this.wake = () => {};
  }

  private run(): Promise<void> {
    const { config, path, clock, onStart, onEnd } = this.plan;
    return new Promise((resolve) => {
      const env = { PATH: path, LC_ALL: 'C', TZ: 'UTC' };
      const child = spawn('gammu-smsd', ['-c', config], { cwd: '/', env, stdio: ['ignore', 'pipe', 'pipe'] });
      this.child = child;
      this.hung = false;
      this.lastLineAt = clock.now();
      this.lastAnswerAt = clock.now();
      let isMissing = false;
      child.on('error', () => {
        isMissing = true;
      });
      this.read(child.stdout);
      this.read(child.stderr);
      const stopWatching = this.watch(child);
      if (child.pid !== undefined) onStart(child.pid);
      child.on('close', () => {
        stopWatching();
        this.child = undefined;
        onEnd({ isMissing, hung: this.hung });
        resolve();
      });
    });
  }

  private watch(child: ChildProcess): () => void {
    const { clock, times, patience, isThere, onHang } = this.plan;
    let off = (): void => {};
    const look = (): void => {
      const now = clock.now();
      const isSilent = now - this.lastLineAt > times.silenceMs + patience();
      const isDeaf = now - this.lastAnswerAt > times.deafMs + patience();
      if (isSilent || isDeaf) {
        if (!this.hung) onHang();
        this.hung = true;
        child.kill('SIGKILL');
      }
      void isThere().then((there) => {
        if (!there) child.kill('SIGKILL');
      });
      off = clock.after(Math.min(LOOK_EVERY_MS, times.silenceMs / 8), look);
    };
    look();
    return () => off();
  }

  private read(stream: NodeJS.ReadableStream): void {
    let rest = '';
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      this.lastLineAt = this.plan.clock.now();
      const lines = (rest + text).split('\n');
      rest = (lines.pop() ?? '').slice(0, MAX_LINE);
      for (const line of lines) this.plan.onLine(line);
    });
  }
}

/** Ends the processes that an earlier gammu-smsd has left: itself, and the scripts that it ran. */
export async function endOrphans(folder: GammuFolder): Promise<number> {
  let ended = 0;
  for (const pid of await pids()) {
    if (!(await isOf(pid, folder))) continue;
    ended += 1;
    kill(pid);
    const until = Date.now() + GONE_WITHIN_MS;
    while ((await isOf(pid, folder)) && Date.now() < until) await sleep(GONE_LOOK_MS);
  }
  return ended;
}

async function isOf(pid: number, { config, receiveScript, failureScript }: GammuFolder): Promise<boolean> {
  const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  const [program = '', ...args] = line.split('\0');
  const name = basename(program);
  return name === 'gammu-smsd'
    ? args.includes(config)
    : name === 'sh' && [receiveScript, failureScript].includes(args[0] ?? '');
}
