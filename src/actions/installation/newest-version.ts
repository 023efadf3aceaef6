/** Queries a registry of npm for the newest version of Kashbox, which only a typed command does. */
import { refuse } from '../../base/errors/refuse.js';
import { asRecord, parseJson } from '../../base/values/fields.js';
import { compareVersions } from '../../base/values/version.js';
import { callHttp } from '../../channels/http.js';
import { mayCall } from '../../channels/sources.js';

const NPM = 'https://registry.npmjs.org';
const PATH = 'kashbox/latest';
const DEADLINE_MS = 10_000;
/** Many times what a registry says of one version. */
const MAX_BYTES = 1_048_576;

/** `ahead`: the registry has only older versions. `detail` repeats nothing of the answer. */
export type UpdateCheck =
  | { readonly state: 'up_to_date' | 'newer' | 'ahead'; readonly newest: string }
  | { readonly state: 'not_published' }
  | { readonly state: 'failed'; readonly detail: string };

/**
 * @returns the registry that npm would use, by its usual variable, with a slash at its end.
 * @throws KashboxError `invalid_input` if the variable holds no https address
 */
export function npmRegistry(env: Readonly<Record<string, string | undefined>>): URL {
  // As npm itself, in any case of letters.
  const name = Object.keys(env).find((key) => key.toLowerCase() === 'npm_config_registry') ?? '';
  const text = env[name]?.trim() || NPM;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !mayCall(url)) {
    refuse(
      'npm_config_registry is not an https address',
      `Set it to the address of a registry, such as ${NPM}, or unset it.`,
    );
  }
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/`;
  return url;
}

/** @param current version of this Kashbox. */
export async function checkUpdate(registry: URL, current: string): Promise<UpdateCheck> {
  const answer = await callHttp({
    method: 'GET',
    url: new URL(PATH, registry),
    headers: { accept: 'application/json' },
    deadlineMs: DEADLINE_MS,
    maxBytes: MAX_BYTES,
  });
  if (answer.outcome === 'failed') return { state: 'failed', detail: answer.detail };
  if (answer.status === 404) return { state: 'not_published' };
  if (answer.status !== 200) return { state: 'failed', detail: `it answered ${answer.status}` };
  const newest = asRecord(parseJson(answer.text)).version;
  const order = typeof newest === 'string' ? compareVersions(newest, current) : null;
  if (typeof newest !== 'string' || order === null) {
    return { state: 'failed', detail: 'its answer names no version, so it is not a registry of npm' };
  }
  return { state: order === 0 ? 'up_to_date' : order > 0 ? 'newer' : 'ahead', newest };
}
