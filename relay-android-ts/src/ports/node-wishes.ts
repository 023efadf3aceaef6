/**
 * What commands ask of the running agent. The journals belong to it alone, so each wish is a file of its own
 * in the home folder, which the agent takes away. Without an agent it waits for the next start.
 */
import { randomUUID } from 'node:crypto';
import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Wish } from '../core/ports.js';
import { writeFileDurably } from './node-files.js';

const NAME = /^wish-[0-9a-f-]{36}\.json$/;

export async function leaveWish(home: string, wish: Wish): Promise<void> {
  await writeFileDurably(join(home, `wish-${randomUUID()}.json`), JSON.stringify(wish));
}

/** Each is handed over once; what is no wish is taken away and left out. */
export async function takeWishes(home: string): Promise<Wish[]> {
  const wishes: Wish[] = [];
  for (const name of (await readdir(home)).filter((one) => NAME.test(one))) {
    const text = await readFile(join(home, name), 'utf8');
    await unlink(join(home, name));
    wishes.push(...parseWish(text));
  }
  return wishes;
}

function parseWish(text: string): Wish[] {
  try {
    const { kind, ids } = JSON.parse(text) as Record<string, unknown>;
    const isWish = (kind === 'retry' || kind === 'dismiss') && Array.isArray(ids);
    return isWish ? [{ kind, ids: ids.filter((id) => typeof id === 'string') }] : [];
  } catch {
    return [];
  }
}
