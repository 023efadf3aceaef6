/** Hooks of Node's module loader that change the text of modules (faults.ts). Runs in the loader's thread. */
import type { InitializeHook, LoadHook } from 'node:module';
import type { Change } from './faults.js';

let changes: readonly Change[] = [];

export const initialize: InitializeHook<readonly Change[]> = (given) => {
  changes = given;
};

export const load: LoadHook = async (url, context, next) => {
  const loaded = await next(url, context);
  const own = changes.filter(({ module }) => url.endsWith(`/dist/${module}`));
  if (own.length === 0) return loaded;
  let text = Buffer.from(loaded.source as Uint8Array).toString();
  for (const { module, from, to } of own) {
    const parts = text.split(from);
    if (parts.length !== 2)
      throw new Error(`${module} has "${from}" ${parts.length - 1} times, once is wanted`);
    text = parts.join(to);
  }
  return { ...loaded, source: text };
};
