/**
 * A real core on each engine, for tests that must hold on both: a temporary home with SQLite, or with a
 * database of its own on the test server. Everything is gone when the test is over.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExecutionContext } from 'ava';
import { type Core, type CoreOptions, openCore } from '../../../src/actions/core/core.js';
import type { Clock } from '../../../src/base/values/clock.js';
import type { Engine } from '../../../src/store/schema/index.js';
import type { Owner } from '../programs/processes.js';
import { databaseWithTables } from './postgres.js';

export const engines: readonly Engine[] = ['sqlite', 'postgres'];

/** @returns the path of an empty folder that is removed after the test. */
export async function temporaryFolder(t: Owner): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'kashbox-test-'));
  t.teardown(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** @param options what the test wants to be otherwise, first of all the clock. */
export async function openTestCore(
  t: ExecutionContext<unknown>,
  engine: Engine,
  options: Partial<CoreOptions> = {},
): Promise<Core> {
  const folder = options.folder ?? (await temporaryFolder(t));
  const database = engine === 'postgres' ? { KASHBOX_DATABASE_URL: await databaseWithTables(t) } : {};
  const core = await openCore({ folder, ...options, env: { ...database, ...options.env } });
  t.teardown(() => core.close());
  return core;
}

/** A clock that stands still until the test moves it. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

/** @param start milliseconds since the epoch; by default a moment of 2026 in Bangladesh. */
export function testClock(start = Date.UTC(2026, 7, 21, 6, 35)): TestClock {
  let now = start;
  return {
    now: () => now,
    advance(ms) {
      now += ms;
    },
  };
}
