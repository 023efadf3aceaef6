/**
 * The real ModemManager and the real mmcli on a bus of their own, with modems that speak AT commands. Debian
 * builds ModemManager with its test interface, which takes a socket as the port of a modem.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { until } from '../agent.js';
import type { AtModem } from './at-modem.js';

const run = promisify(execFile);
const NAME = 'org.freedesktop.ModemManager1';
const BUS = 'org.freedesktop.DBus';
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
    await until('the bus answers', async () => (await this.busctl('list')) !== '');
    await this.start();
  }

  /** ModemManager begins, without any modem. */
  async start(): Promise<void> {
    const args = [...OPTIONS, '--no-auto-scan'];
    const file = ['/usr/sbin/ModemManager', '/usr/bin/ModemManager'].find((name) => existsSync(name));
    this.manager = spawn(file ?? 'ModemManager', args, { stdio: 'ignore', env: this.env });
    await until('ModemManager answers', async () => (await this.mmcli('-L')) !== '');
  }

  /** Ends ModemManager and returns when the bus knows it. */
  async stop(): Promise<void> {
    const manager = this.manager;
    if (manager === null) return;
    const ended = new Promise((resolve) => manager.once('close', resolve));
    manager.kill('SIGKILL');
    await ended;
    const owner = ['call', BUS, '/org/freedesktop/DBus', BUS, 'NameHasOwner', 's', NAME];
    await until('its name is free', async () => (await this.busctl(...owner)).trim() === 'b false');
  }

  /** @returns the D-Bus object of the modem, once ModemManager has read what it is */
  async plug(modem: AtModem): Promise<string> {
    this.profiles += 1;
    const port = join(this.folder, `port${this.profiles}`);
    await modem.listen(port);
    const before = await this.modems();
    const set = ['SetProfile', 'ssas', `test${this.profiles}`, 'generic', '1', port];
    await this.busctl('call', NAME, '/org/freedesktop/ModemManager1', `${NAME}.Test`, ...set);
    let added: string | undefined;
    await until('the modem is found', async () => {
      added = (await this.modems()).find((one) => !before.includes(one));
      return added !== undefined;
    });
    return added ?? '';
  }

  private async modems(): Promise<readonly string[]> {
    const printed = (await this.mmcli('-L')) || '{}';
    return (JSON.parse(printed) as { 'modem-list'?: string[] })['modem-list'] ?? [];
  }

  /** Empties the storage of a modem, and makes ModemManager read it again; leaves the modem enabled. */
  async reset(modem: AtModem): Promise<void> {
    modem.empty();
    await this.mmcli('-m', 'any', '-d');
    await until('the modem is enabled', async () => (await this.mmcli('-m', 'any', '-e')) !== '');
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

  private async busctl(...args: readonly string[]): Promise<string> {
    return (await run('busctl', ['--system', ...args], { env: this.env }).catch(() => ({ stdout: '' })))
      .stdout;
  }

  async close(): Promise<void> {
    await this.stop();
    this.daemon?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }
}
