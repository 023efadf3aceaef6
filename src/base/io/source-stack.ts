/**
 * Stack traces that name the sources, although the program runs from a bundle. Node can do that for every
 * error, but then reads the maps of all files at each start: a tenth of what a daemon's start takes.
 */
import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';
import { fileURLToPath } from 'node:url';

/** File, line and column of a frame in a module; both count from 1. */
const FRAME = /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g;

const maps = new Map<string, SourceMap | null>();

/** @returns null if there is no source map next to the file. */
function mapOf(url: string): SourceMap | null {
  const known = maps.get(url);
  if (known !== undefined) return known;
  let map: SourceMap | null = null;
  try {
    map = new SourceMap(JSON.parse(readFileSync(fileURLToPath(`${url}.map`), 'utf8')));
  } catch {
    // The trace says at least where in the bundle it was.
  }
  maps.set(url, map);
  return map;
}

/** @param stack as V8 writes it; what it says of files without a map stays as it is. */
export function sourceStack(stack: string): string {
  return stack.replace(FRAME, (frame, url: string, line: string, column: string) => {
    const found = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1);
    if (found === undefined || !('originalSource' in found)) return frame;
    const source = fileURLToPath(new URL(found.originalSource, url));
    return `${source}:${found.originalLine + 1}:${found.originalColumn + 1}`;
  });
}

/** Rewrites the stack of an error that ends the process; Node prints it after this. */
export function nameSources(error: Error): void {
  if (typeof error?.stack === 'string') error.stack = sourceStack(error.stack);
}
