/**
 * Contexts: names for installations, stored per user, so that a person with several need not type the
 * location of each. The file may contain database passwords; output never contains them.
 */
import { chmodSync, existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { JSONFileSync } from 'lowdb/node';
import { KashboxError } from '../base/errors/errors.js';
import { refuse } from '../base/errors/refuse.js';
import { makeFolder } from '../base/io/durable-file.js';
import { echoed } from '../base/values/text.js';
import { postgresAddresses, postgresUrlFault } from './postgres-url.js';

export interface Context {
  /** The home folder. */
  readonly home: string;
  /** Null where the store is in the home folder, or named in its kashbox.json. */
  readonly databaseUrl: string | null;
}

export interface Contexts {
  /** The name of the one that `contexts use` has chosen; null for none. */
  readonly used: string | null;
  readonly contexts: Readonly<Record<string, Context>>;
}

/** Installation that a command uses. */
export interface ContextSelection {
  /** Null where the environment, or nothing, says so. */
  readonly context: string | null;
  /** Environment with the home and store of the context. */
  readonly env: NodeJS.ProcessEnv;
}

const NONE: Contexts = { used: null, contexts: {} };
const isSet = (text: string | undefined): text is string => text !== undefined && text !== '';

/** `KASHBOX_CONFIG_DIR`, else the folder of the XDG specification. */
export function contextsFile(env: NodeJS.ProcessEnv): string {
  if (isSet(env.KASHBOX_CONFIG_DIR)) return join(env.KASHBOX_CONFIG_DIR, 'contexts.json');
  const config = isSet(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : join(homedir(), '.config');
  return join(config, 'kashbox', 'contexts.json');
}

/** @throws KashboxError `config_invalid` */
export function loadContexts(env: NodeJS.ProcessEnv): Contexts {
  const file = contextsFile(env);
  if (!existsSync(file)) return NONE;
  try {
    return contextsOf(new JSONFileSync<unknown>(file).read());
  } catch (cause) {
    const message = `${file} is not a valid list of contexts`;
    const hint = 'Repair it by hand, or remove it and add the contexts again with `kashbox contexts add`.';
    throw new KashboxError('config_invalid', { message, hint, cause });
  }
}

/** @throws TypeError for what the file of another program, or a hand, has made of it. */
function contextsOf(value: unknown): Contexts {
  const { used, contexts } = value as Contexts;
  for (const { home, databaseUrl } of Object.values(contexts)) {
    if (typeof home !== 'string' || (databaseUrl !== null && typeof databaseUrl !== 'string')) {
      throw new TypeError('a context needs a home and a databaseUrl');
    }
  }
  if (used !== null && typeof used !== 'string') throw new TypeError('used is no name');
  return { used, contexts };
}

/** Writes a file that only its owner can read. @throws KashboxError `config_invalid` if that fails */
export function writeContexts(env: NodeJS.ProcessEnv, contexts: Contexts): void {
  const file = contextsFile(env);
  try {
    makeFolder(join(file, '..'), 0o700);
    new JSONFileSync<Contexts>(file).write(contexts);
    chmodSync(file, 0o600);
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const message = `${file} cannot be written${code === undefined ? '' : ` (${code})`}`;
    const hint =
      'Check that its folder is yours and its disk is not full, or set KASHBOX_CONFIG_DIR to another folder.';
    throw new KashboxError('config_invalid', { message, hint, cause });
  }
}

/** @throws KashboxError `not_found` */
export function contextNamed({ contexts }: Contexts, name: string): Context {
  const context = Object.hasOwn(contexts, name) ? contexts[name] : undefined;
  if (context !== undefined) return context;
  throw new KashboxError('not_found', {
    message: `There is no context "${echoed(name)}"`,
    hint: 'List them with `kashbox contexts list`, or add it with `kashbox contexts add`.',
  });
}

/** @throws KashboxError `invalid_input` */
export function contextNameField(name: string): string {
  if (/^[a-z\d][\w.-]{0,39}$/i.test(name)) return name;
  return refuse(
    `The context "${echoed(name)}" is no name for one`,
    'Use 1 to 40 letters, digits, dots, dashes and underlines.',
  );
}

/** @throws KashboxError `invalid_input`; nothing of the address is repeated */
export function databaseUrlField(address: string): string {
  const fault = postgresUrlFault(address);
  return fault === null
    ? address
    : refuse(`The database address ${fault}`, 'Give it as KASHBOX_DATABASE_URL has it.');
}

/** Removes the password and the parameters of an address; some parameters contain secrets, too. */
export function withoutPassword(address: string): string {
  const urls = postgresAddresses(address).map((one) => new URL(one.replace('@/', '@localhost/')));
  const hosts = urls.map(({ host }) => host).join(',');
  const [{ protocol, username, pathname }] = urls as [URL];
  return `${protocol}//${username === '' ? '' : `${username}@`}${hosts}${pathname}`;
}

/**
 * Selects the installation that a command uses. Order: `--context`, KASHBOX_CONTEXT, KASHBOX_HOME and
 * KASHBOX_DATABASE_URL, the current context (`contexts use`), `~/.kashbox`. A context sets both: its home is
 * never combined with a database of the environment.
 * @param flag undefined if none was given.
 * @throws KashboxError `not_found`, `config_invalid`, `invalid_input` if the environment is contradictory
 */
export function chooseContext(env: NodeJS.ProcessEnv, flag: string | undefined): ContextSelection {
  const isPlaced = isSet(env.KASHBOX_HOME) || isSet(env.KASHBOX_DATABASE_URL);
  const asked = flag ?? (isSet(env.KASHBOX_CONTEXT) ? env.KASHBOX_CONTEXT : undefined);
  if (flag === undefined && asked !== undefined && isPlaced) {
    const other = isSet(env.KASHBOX_HOME) ? 'KASHBOX_HOME' : 'KASHBOX_DATABASE_URL';
    refuse(`KASHBOX_CONTEXT and ${other} are both set`, 'Unset one of them, or choose with --context.');
  }
  if (asked === undefined && isPlaced) return { context: null, env };
  const known = loadContexts(env);
  const name = asked ?? known.used;
  if (name === null) return { context: null, env };
  const { home, databaseUrl } = contextNamed(known, name);
  return {
    context: name,
    env: { ...env, KASHBOX_HOME: home, KASHBOX_DATABASE_URL: databaseUrl ?? undefined },
  };
}

/** The context on which commands without `--context` work; null where the environment or nothing says so. */
export function currentContext(env: NodeJS.ProcessEnv): string | null {
  try {
    return chooseContext(env, undefined).context;
  } catch {
    // Commands are refused then, on whatever it is.
    return null;
  }
}

/** Environment variable that overrides the choice of `contexts use`; undefined if none is set. */
export function winningVariable(env: NodeJS.ProcessEnv): string | undefined {
  return ['KASHBOX_CONTEXT', 'KASHBOX_HOME', 'KASHBOX_DATABASE_URL'].find((name) => isSet(env[name]));
}
