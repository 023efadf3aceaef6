/** Who may open a device file, as Linux tells it. Changes nothing. */
import type { Stats } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { runProgram } from '../../ports/programs.js';
import { type Machine, programOn } from '../install/computer.js';

const LIMIT_MS = 5_000;

export interface User {
  readonly name: string;
  readonly uid: number;
  readonly groups: readonly number[];
}

/** @returns null if there is no such user */
export async function userNamed(name: string, machine: Machine): Promise<User | null> {
  const [uid] = await idsOf(['-u', name], machine);
  return uid === undefined ? null : { name, uid, groups: await idsOf(['-G', name], machine) };
}

/** The user of this process. */
export function userHere(): User {
  const uid = process.getuid?.() ?? 0;
  const name = uid === 0 ? 'root' : (process.env.USER ?? String(uid));
  return { name, uid, groups: process.getgroups?.() ?? [] };
}

async function idsOf(args: readonly string[], machine: Machine): Promise<number[]> {
  const end = await runProgram(programOn(machine, 'id') ?? 'id', { args, limitMs: LIMIT_MS });
  if (end.kind !== 'ended' || end.code !== 0) return [];
  return end.stdout.trim().split(/\s+/).map(Number);
}

/** For reading and writing, by owner, group and mode alone. */
export function mayOpen({ uid, groups }: User, { uid: owner, gid, mode }: Stats): boolean {
  if (uid === 0) return true;
  const bits = uid === owner ? 0o600 : groups.includes(gid) ? 0o060 : 0o006;
  return (mode & bits) === bits;
}

/** The name of a group, or its number where it has none. */
export async function groupName(gid: number): Promise<string> {
  const groups = await readFile('/etc/group', 'utf8').catch(() => '');
  const line = groups.split('\n').find((one) => one.split(':')[2] === String(gid));
  return line?.split(':')[0] ?? String(gid);
}
