/** The real agent as a process of its own, and temporary folders for it. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { ExecutionContext } from 'ava';
import { pair } from '../../src/cli/pair.js';
import type { TestServer } from './server.js';

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
    const env = { ...process.env, ...extra };
    delete env.KASHBOX_RELAY_HOME;
    this.child = spawn(process.execPath, [BIN, ...args], { env });
    this.child.stdout.on('data', (chunk: Buffer) => {
      this.stdout += chunk.toString('utf8');
    });
    this.child.stderr.on('data', (chunk: Buffer) => {
      this.stderr += chunk.toString('utf8');
    });
    // Writing to an agent that was killed is part of the tests.
    this.child.stdin.on('error', () => {});
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

/** Runs a command to its end. */
export async function runAgent(
  t: ExecutionContext,
  args: readonly string[],
  input = '',
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const agent = new AgentProcess(t, args);
  agent.child.stdin.end(input);
  const { code } = await agent.ended;
  return { code, stdout: agent.stdout, stderr: agent.stderr };
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
