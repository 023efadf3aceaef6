/** The agent: its commands inside this process, or as a process of its own; folders and SMS for it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { pair } from '../../src/cli/pair.js';
import { main } from '../../src/main.js';
import type { TestServer } from './server.js';

delete process.env.KASHBOX_RELAY_HOME;

const BIN = fileURLToPath(new URL('../../../bin/kashbox-relay.js', import.meta.url));

export async function tempFolder(t: ExecutionContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-relay-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

export class AgentProcess {
  readonly child: ChildProcessWithoutNullStreams;
  stdout = '';
  stderr = '';
  /** Exit code and signal. */
  readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;

  constructor(t: ExecutionContext, args: readonly string[], extra: NodeJS.ProcessEnv = {}) {
    this.child = spawn(process.execPath, [BIN, ...args], { env: { ...process.env, ...extra } });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString('utf8');
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString('utf8');
    });
    this.ended = new Promise((resolve) =>
      this.child.on('close', (code, signal) => resolve({ code, signal })),
    );
    t.teardown(async () => {
      this.child.kill('SIGKILL');
      await this.ended;
    });
  }

  async kill(signal: NodeJS.Signals): Promise<number | null> {
    this.child.kill(signal);
    return (await this.ended).code;
  }
}

class Printed extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}

/** Runs a command to its end, inside this process. */
export async function runAgent(args: readonly string[]) {
  const terminal = { stdout: new Printed(), stderr: new Printed() };
  const code = await main(['node', 'kashbox-relay', ...args], terminal);
  return { code, stdout: terminal.stdout.text, stderr: terminal.stderr.text };
}

/** An SMS arrives at the simulator: a file that appears whole. */
export async function arrive(inbox: string, name: string | number, sms: unknown): Promise<void> {
  await mkdir(inbox, { recursive: true });
  await writeFile(join(inbox, `${name}.part`), JSON.stringify(sms));
  await rename(join(inbox, `${name}.part`), join(inbox, `${name}.json`));
}

/** A home folder that is paired with `server`, without the start of a process. */
export async function pairedHome(t: ExecutionContext, server: TestServer): Promise<string> {
  const home = join(await tempFolder(t), 'home');
  await pair(server.link, { home });
  return home;
}

/** Waits until `condition` holds; fails the test by an error after `limitMs`. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  limitMs = 240_000,
): Promise<void> {
  const end = Date.now() + limitMs;
  while (!(await condition())) {
    if (Date.now() > end) throw new Error(`it did not come about: ${what}`);
    await sleep(20);
  }
}
