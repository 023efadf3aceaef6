/** Who has a device file open, and who may open it, as Linux tells it. Changes nothing. */
import type { Stats } from 'node:fs';
import { readdir, readFile, readlink, realpath } from 'node:fs/promises';
import { runProgram } from '../../ports/programs.js';
import { type Machine, programOn } from '../install/computer.js';

const LIMIT_MS = 5_000;

export interface Holder {
  readonly pid: number;
  readonly name: string;
}

/**
 * The processes that have the device open; of those of other users only root sees it.
 * @param own process of the agent, which is left out with its children; null for none
 */
export async function holdersOf(device: string, own: number | null): Promise<Holder[]> {
  const target = await realpath(device).catch(() => null);
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const holders: Holder[] = [];
  for (const pid of pids) {
    if (pid === own || pid === process.pid || target === null || !(await hasOpen(pid, target))) continue;
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const [, name = '?', parent = ''] = /^Name:\t(.+)$[\s\S]*^PPid:\t(\d+)$/m.exec(status) ?? [];
    if (own === null || Number(parent) !== own) holders.push({ pid, name });
  }
  return holders;
}

async function hasOpen(pid: number, target: string): Promise<boolean> {
  const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
  const targets = await Promise.all(files.map((fd) => readlink(`/proc/${pid}/fd/${fd}`).catch(() => '')));
  return targets.includes(target);
}

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
