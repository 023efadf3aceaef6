/**
 * The real ModemManager and the real mmcli on a bus of their own, with modems that speak AT commands. Debian
 * builds ModemManager with its test interface, which takes a socket as the port of a modem.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { AtModem } from './at-modem.js';

const run = promisify(execFile);
const NAME = 'org.freedesktop.ModemManager1';
const OPTIONS = ['--test-session', '--test-enable', '--test-no-suspend-resume', '--test-no-udev'];

const busConfig = (socket: string) => `<!DOCTYPE busconfig PUBLIC
  "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
  "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
<busconfig><type>session</type><listen>unix:path=${socket}</listen><auth>EXTERNAL</auth>
<policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
<allow own="*"/></policy></busconfig>`;

export class RealModemManager {
  private readonly folder = mkdtempSync(join(tmpdir(), 'modem-manager-'));
  private readonly bus = join(this.folder, 'bus');
  private readonly env = {
    ...process.env,
    DBUS_SYSTEM_BUS_ADDRESS: `unix:path=${this.bus}`,
    DBUS_SESSION_BUS_ADDRESS: `unix:path=${this.bus}`,
  };
  private daemon: ChildProcess | null = null;
  private manager: ChildProcess | null = null;
  private profiles = 0;

  /** Where mmcli and the other programs are that reach it. */
  get path(): string {
    return join(this.folder, 'bin');
  }

  /** Of its bus. */
  get address(): string {
    return `unix:path=${this.bus}`;
  }

  async open(): Promise<void> {
    mkdirSync(this.path);
    for (const program of ['mmcli', 'dbus-monitor']) {
      const file = join(this.path, program);
      const set = `DBUS_SYSTEM_BUS_ADDRESS='unix:path=${this.bus}'`;
      writeFileSync(file, `#!/bin/sh\n${set} exec /usr/bin/${program} "$@"\n`);
      chmodSync(file, 0o755);
    }
    const config = join(this.folder, 'bus.conf');
    writeFileSync(config, busConfig(this.bus));
    this.daemon = spawn('dbus-daemon', [`--config-file=${config}`, '--nofork'], { stdio: 'ignore' });
    await until(() => existsSync(this.bus));
    await this.start();
  }

  /** ModemManager begins, without any modem. */
  async start(): Promise<void> {
    const args = [...OPTIONS, '--no-auto-scan'];
    const file = ['/usr/sbin/ModemManager', '/usr/bin/ModemManager'].find((name) => existsSync(name));
    this.manager = spawn(file ?? 'ModemManager', args, { stdio: 'ignore', env: this.env });
    await until(() => this.mmcli('-L'));
  }

  async stop(): Promise<void> {
    const manager = this.manager;
    if (manager === null) return;
    const ended = new Promise((resolve) => manager.once('close', resolve));
    manager.kill('SIGKILL');
    await ended;
  }

  /** @returns the D-Bus object of the modem, once ModemManager has read what it is */
  async plug(modem: AtModem): Promise<string> {
    this.profiles += 1;
    const port = join(this.folder, `port${this.profiles}`);
    await modem.listen(port);
    const before = await this.mmcli('-L');
    const set = ['SetProfile', 'ssas', `test${this.profiles}`, 'generic', '1', port];
    const object = [NAME, '/org/freedesktop/ModemManager1', `${NAME}.Test`];
    await run('busctl', ['--system', 'call', ...object, ...set], { env: this.env });
    await until(async () => (await this.mmcli('-L')) !== before);
    const modems = (JSON.parse(await this.mmcli('-L')) as { 'modem-list': string[] })['modem-list'];
    return modems.find((one) => !before.includes(`"${one}"`)) ?? '';
  }

  /** What the real mmcli prints; nothing where it fails. */
  async mmcli(...args: readonly string[]): Promise<string> {
    try {
      const env = { ...this.env, LC_ALL: 'C.UTF-8' };
      return (await run('/usr/bin/mmcli', ['-J', ...args], { env })).stdout;
    } catch {
      return '';
    }
  }

  async close(): Promise<void> {
    await this.stop();
    this.daemon?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Waits until it is so, 20 s at most. */
export async function until(isSo: () => unknown): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if (await isSo()) return;
    await sleep(100);
  }
  throw new Error('it has not come');
}
