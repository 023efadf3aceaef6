/** What a running process uses, by the operating system's word. */
import { readFileSync } from 'node:fs';
import type { Server } from './servers.js';

const KIB_PER_MIB = 1024;
/** Clock ticks in /proc last 10 ms for programs, whatever the kernel's own are. */
const TICK_MS = 10;

/** Proportional set size: its own memory, and its part of what it shares. Linux only. */
export function memoryMib({ pid }: Server): number {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  return Number(/^Pss:\s+(\d+) kB$/m.exec(rollup)?.[1]) / KIB_PER_MIB;
}

/** Processor time since it started, its own and the kernel's for it. Linux only. */
export function processorMs({ pid }: Server): number {
  // The program's name, in parentheses, may hold anything: what counts stands behind it (proc(5)).
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
