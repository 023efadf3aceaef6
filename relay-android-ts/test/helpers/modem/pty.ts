/** A pseudo-terminal in the place of a serial port: Node has none, so socat makes it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, constants, existsSync, openSync, rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

const PLUGGED_WITHIN_MS = 120_000;

export class Pty {
  private socat: ChildProcess | undefined;
  private holder: number | undefined;

  /** `path` is where programs find the port; `onBytes` takes what they write. */
  constructor(
    readonly path: string,
    private readonly onBytes: (bytes: Buffer) => void,
  ) {}

  async plug(): Promise<void> {
    const socat = spawn('socat', [`PTY,link=${this.path},rawer`, 'STDIO'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    this.socat = socat;
    socat.stdin.on('error', () => {});
    socat.on('error', (error) => console.error(error));
    socat.stdout.on('data', (bytes: Buffer) => {
      if (this.socat === socat) this.onBytes(bytes);
    });
    const until = Date.now() + PLUGGED_WITHIN_MS;
    while (!existsSync(this.path)) {
      if (Date.now() > until) throw new Error('socat has made no pseudo-terminal');
      await sleep(5);
    }
    // Held open, or socat would end when the program that uses it closes it.
    this.holder = openSync(this.path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK);
  }

  write(bytes: Buffer | string): void {
    this.socat?.stdin?.write(bytes);
  }

  /** Whoever has the port open gets errors from now on. */
  async unplug(): Promise<void> {
    const { socat, holder } = this;
    this.socat = undefined;
    this.holder = undefined;
    if (holder !== undefined) closeSync(holder);
    if (socat !== undefined && socat.exitCode === null) {
      const ended = new Promise((resolve) => socat.once('exit', resolve));
      socat.kill('SIGKILL');
      await ended;
    }
    rmSync(this.path, { force: true });
  }
}
