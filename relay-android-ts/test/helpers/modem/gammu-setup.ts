/** A scripted modem and the real gammu-smsd at it, as the platform uses them. */
import { execFileSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import type { Log, LogFacts } from '../../../src/core/ports.js';
import type { GammuTimes } from '../../../src/platforms/modem/gammu/gammu-child.js';
import { type GammuOptions, gammuModem } from '../../../src/platforms/modem/gammu/gammu-modem.js';
import type { DeliveryReport, Modem, ModemSms, SendResult } from '../../../src/platforms/modem/modem.js';
import { nodeClock } from '../../../src/ports/node-clock.js';
import { until } from '../agent.js';
import { type ModemPlan, ScriptedModem } from './scripted-modem.js';

const FAST: Partial<GammuTimes> = {
  firstPauseMs: 50,
  longestPauseMs: 200,
  joinMs: 4000,
  answerMs: 3000,
  sendSeconds: 3,
  endMs: 500,
};

export class GammuSetup {
  readonly reports: DeliveryReport[] = [];
  onReport: () => void = () => {};
  readonly handedOver = new Map<string, SendResult>();
  /** The modem of the platform, of the run that is on. */
  agent: Modem;

  private constructor(
    readonly modem: ScriptedModem,
    readonly folder: string,
    /** Lines of the platform's log. */
    readonly logged: readonly string[],
    private readonly options: GammuOptions,
  ) {
    this.agent = gammuModem(options);
  }

  static async make(
    t: ExecutionContext,
    plan: ModemPlan = {},
    more: Partial<GammuOptions> = {},
  ): Promise<GammuSetup> {
    const home = await mkdtemp(join(tmpdir(), 'kashbox-gammu-'));
    const device = join(home, 'tty');
    const modem = await ScriptedModem.open(device, plan);
    const logged: string[] = [];
    const note = (message: string, facts?: LogFacts): number =>
      logged.push(`${message} ${JSON.stringify(facts ?? {})}`);
    const log: Log = { info: note, warn: note };
    const folder = join(home, 'modem');
    const path = process.env.PATH ?? '';
    const options = { slot: 1, device, folder, clock: nodeClock, log, path, ...more };
    const setup = new GammuSetup(modem, folder, logged, { ...options, times: { ...FAST, ...more.times } });
    t.teardown(async () => {
      await setup.agent.close();
      await modem.close();
      await rm(home, { recursive: true, force: true });
    });
    return setup;
  }

  /** Opens the modem and waits until it works. */
  async open(): Promise<void> {
    await this.begin();
    await this.works();
  }

  begin(): Promise<void> {
    return this.agent.open({
      onSms: () => {},
      onReport: async (report) => {
        this.reports.push(report);
        this.onReport();
      },
      onHandedOver: (id, handover) => this.handedOver.set(id, handover),
    });
  }

  works(): Promise<void> {
    return until('the modem works', async () => (await this.agent.readState()).problem === null, 240_000);
  }

  /** What the state says is wrong; empty where nothing is. */
  async problem(): Promise<string> {
    return (await this.agent.readState()).problem ?? '';
  }

  tells(words: RegExp, limitMs = 240_000): Promise<void> {
    return until(`the problem ${words}`, async () => words.test(await this.problem()), limitMs);
  }

  /** gammu has taken all SMS off the SIM. */
  emptied(): Promise<void> {
    return until('the SIM is empty', () => this.modem.storage.of('SM').size === 0, 240_000);
  }

  /** Another run of the agent at the same modem. */
  async again(options: Partial<GammuOptions> = {}): Promise<void> {
    await this.agent.close();
    this.agent = gammuModem({ ...this.options, ...options });
  }

  /** Another run, while an earlier one has not ended in order. */
  async takeOver(): Promise<void> {
    this.agent = gammuModem(this.options);
    await this.begin();
  }

  /** The SMS in the storage as soon as there are so many. */
  async list(count: number, limitMs = 240_000): Promise<readonly ModemSms[]> {
    let found: readonly ModemSms[] = [];
    await until(
      `${count} SMS`,
      async () => {
        found = await this.agent.list();
        return found.length >= count;
      },
      limitMs,
    );
    return found;
  }

  /** The process id of the gammu-smsd that runs; 0 if there is none. */
  async pid(): Promise<number> {
    return (await this.pids())[0] ?? 0;
  }

  /** The gammu-smsd that runs, first, and copies of it that are about to become another program. */
  private async pids(): Promise<number[]> {
    const numbers = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
    const lines = numbers.map(async (pid) => {
      const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return line.startsWith('gammu-smsd') && line.includes(this.folder) ? [pid] : [];
    });
    return (await Promise.all(lines)).flat().sort((one, other) => one - other);
  }

  /** @returns false if there was nothing to kill. */
  async kill(): Promise<boolean> {
    const pids = await this.pids();
    for (const pid of pids) process.kill(pid, 'SIGKILL');
    return pids.length > 0;
  }
}

/** False where the real program is not installed: then its tests are left out. */
export function hasGammu(): boolean {
  try {
    execFileSync('sh', ['-c', 'command -v gammu-smsd && command -v socat'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
