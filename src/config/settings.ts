/**
 * Every setting there is, in one list: its environment variable, default, limits and meaning. Read once,
 * all faults told at once, then frozen. Order of authority: flag, environment, `kashbox.json`, default.
 */
import { KashboxError } from '../base/errors/errors.js';
import { postgresUrlFault } from './postgres-url.js';

type Parsed<T> = { readonly value: T } | { readonly fault: string };

interface Setting<T> {
  readonly env: string;
  readonly initial: T;
  readonly about: string;
  parse(text: string): Parsed<T>;
}

const integer = (env: string, initial: number, min: number, max: number, about: string): Setting<number> => ({
  env,
  initial,
  about,
  parse: (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max
      ? { value }
      : { fault: `must be a whole number from ${min} to ${max}` };
  },
});

const text = (env: string, initial: string, about: string): Setting<string> => ({
  env,
  initial,
  about,
  parse: (value) => ({ value }),
});

/** Off unless it is said in a word that cannot mean anything else. */
const yesOrNo = (env: string, about: string): Setting<boolean> => ({
  env,
  initial: false,
  about,
  parse: (words) =>
    words === 'true' || words === 'false' ? { value: words === 'true' } : { fault: 'must be true or false' },
});

/** A path that goes before others: empty, or `/a/b` without a slash at its end. */
const pathPrefix = (env: string, about: string): Setting<string> => ({
  env,
  initial: '',
  about,
  parse: (words) => {
    const value = words.replace(/\/+$/, '');
    return /^(\/[\w.~-]+)*$/.test(value) ? { value } : { fault: 'must be a path such as /pay' };
  },
});

/** Only where the service stands: a path before `/api` is the business of `basePath`. */
const httpsOrigin = (env: string, about: string): Setting<string> => ({
  env,
  initial: '',
  about,
  parse: (words) => {
    if (words === '') return { value: '' };
    const origin = URL.canParse(words) ? new URL(words).origin : '';
    const isOrigin = /^https:\/\/[^/]/.test(origin) && new URL(words).href === `${origin}/`;
    return isOrigin ? { value: origin } : { fault: 'must be an address such as https://pay.example.com' };
  },
});

const list = (env: string, about: string): Setting<readonly string[]> => ({
  env,
  initial: [],
  about,
  parse: (value) => ({
    value: value
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== ''),
  }),
});

const oneOf = <T extends string>(
  env: string,
  initial: T,
  allowed: readonly T[],
  about: string,
): Setting<T> => ({
  env,
  initial,
  about,
  parse: (value) => {
    const known = allowed.find((item) => item === value);
    return known === undefined ? { fault: `must be one of ${allowed.join(', ')}` } : { value: known };
  },
});

/** A secret that callers send in a header; one that is short could be guessed. */
const token = (env: string, about: string): Setting<string> => ({
  env,
  initial: '',
  about,
  parse: (value) =>
    value === '' || /^[\w.~+/=-]{16,200}$/.test(value)
      ? { value }
      : { fault: 'must be 16 to 200 letters, digits or -._~+/=' },
});

const postgresUrl = (env: string, about: string): Setting<string> => ({
  env,
  initial: '',
  about,
  parse: (value) => {
    const fault = value === '' ? null : postgresUrlFault(value);
    return fault === null ? { value } : { fault };
  },
});

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** A month of each; also for a brand's own values. */
export const MAX_SESSION_MINUTES = 43_200;
export const MAX_PROOF_WINDOW_HOURS = 720;

export const SETTINGS = {
  databaseUrl: postgresUrl(
    'KASHBOX_DATABASE_URL',
    'PostgreSQL address; empty keeps the store in the home folder',
  ),
  host: text('KASHBOX_HOST', '127.0.0.1', 'Address that the daemon listens on'),
  port: integer('KASHBOX_PORT', 8443, 0, 65_535, 'HTTPS port'),
  httpPort: integer('KASHBOX_HTTP_PORT', 8080, 0, 65_535, 'Plain HTTP port, which only refuses or redirects'),
  tlsCert: text('KASHBOX_TLS_CERT', '', 'Certificate file (PEM); empty makes a self-signed one'),
  tlsKey: text('KASHBOX_TLS_KEY', '', 'Private key file (PEM)'),
  trustProxy: list('KASHBOX_TRUST_PROXY', 'Addresses or CIDR ranges of proxies whose X-Forwarded-* counts'),
  basePath: pathPrefix('KASHBOX_BASE_PATH', 'Path before /api, for clients that expect one'),
  publicUrl: httpsOrigin(
    'KASHBOX_PUBLIC_URL',
    'Where customers reach the daemon; empty takes the host that the shop called',
  ),
  allowPrivateWebhooks: yesOrNo(
    'KASHBOX_ALLOW_PRIVATE_WEBHOOKS',
    'For development only: notifications may go to private addresses and over plain http',
  ),
  logLevel: oneOf('KASHBOX_LOG_LEVEL', 'info', LOG_LEVELS, 'How much the daemon logs'),
  requestsPerMinute: integer(
    'KASHBOX_REQUESTS_PER_MINUTE',
    600,
    1,
    100_000_000,
    'Requests a minute for each key',
  ),
  failedAuthPerMinute: integer(
    'KASHBOX_FAILED_AUTH_PER_MINUTE',
    30,
    1,
    100_000_000,
    'Failed authentications a minute for each address',
  ),
  checkoutRequestsPerMinute: integer(
    'KASHBOX_CHECKOUT_REQUESTS_PER_MINUTE',
    120,
    1,
    100_000_000,
    'Forms and event streams a minute for each payment link and address',
  ),
  checkoutFailuresPerMinute: integer(
    'KASHBOX_CHECKOUT_FAILURES_PER_MINUTE',
    120,
    1,
    100_000_000,
    'Unknown links, refused forms and ids that do not pay or are not found, a minute for each address',
  ),
  checkoutStreams: integer(
    'KASHBOX_CHECKOUT_STREAMS',
    5_000,
    0,
    100_000,
    'How many open payment pages get live updates; the others poll every few seconds',
  ),
  relayStreams: integer(
    'KASHBOX_RELAY_STREAMS',
    5_000,
    0,
    100_000,
    'Event streams and waiting requests of relay phones; those beyond ask every ten seconds',
  ),
  bodyKib: integer('KASHBOX_BODY_KIB', 64, 1, 10_240, 'Largest request body in KiB'),
  missesPerSession: integer(
    'KASHBOX_MISSES_PER_SESSION',
    30,
    1,
    10_000,
    'Wrong transaction ids a session may try',
  ),
  sessionMinutes: integer(
    'KASHBOX_SESSION_MINUTES',
    60,
    1,
    MAX_SESSION_MINUTES,
    'Life of a session, for new brands',
  ),
  proofWindowHours: integer(
    'KASHBOX_PROOF_WINDOW_HOURS',
    24,
    1,
    MAX_PROOF_WINDOW_HOURS,
    'How much older than its session a payment may be, for new brands',
  ),
  chainConfirmations: integer(
    'KASHBOX_CHAIN_CONFIRMATIONS',
    120,
    1,
    100_000,
    'Blocks above a transfer after which it is final where a node does not tell what is',
  ),
  agreeingNodes: integer(
    'KASHBOX_AGREEING_NODES',
    1,
    1,
    5,
    'Nodes that must say the same of a transfer before it is credited or refused',
  ),
  overpaidPercent: integer(
    'KASHBOX_OVERPAID_PERCENT',
    2,
    0,
    1_000,
    'Per cent above the amount in USDT from which a person decides',
  ),
  dispatchQueue: integer('KASHBOX_DISPATCH_QUEUE', 1_000, 1, 100_000, 'SMS that may wait for one phone'),
  // Android asks the owner of a phone from 30 a minute on; fewer keep clear of that.
  partsAMinute: integer(
    'KASHBOX_PARTS_A_MINUTE',
    24,
    10,
    100_000,
    'SMS parts that one phone may send a minute',
  ),
  dispatchLeaseSeconds: integer(
    'KASHBOX_DISPATCH_LEASE_SECONDS',
    600,
    1,
    86_400,
    'How long a phone that took an SMS may be silent about it until nobody knows what came of it',
  ),
  slipMibADay: integer(
    'KASHBOX_SLIP_MIB_A_DAY',
    100,
    0,
    1_000_000,
    'MiB of slips that are kept a day for each brand; further claims are taken without their slips',
  ),
  keepDays: integer(
    'KASHBOX_KEEP_DAYS',
    180,
    0,
    36_500,
    'Days that notifications, pairing codes, sent SMS, alerts, gaps and slips are kept once over, 0 for ever',
  ),
  metricsToken: token(
    'KASHBOX_METRICS_TOKEN',
    'Secret with which other machines may read /metrics; empty answers this machine only',
  ),
} as const;

type SettingName = keyof typeof SETTINGS;

export type Settings = Readonly<{
  [Name in SettingName]: (typeof SETTINGS)[Name]['initial'] extends infer T ? T : never;
}>;

/** Settings as text, by name: what flags and `kashbox.json` hold. Undefined means not given. */
export type SettingTexts = Readonly<Partial<Record<SettingName, string | undefined>>>;

/**
 * @param given texts from flags, which win over everything.
 * @param env the process environment.
 * @param stored texts from the home folder's `kashbox.json`.
 * @throws KashboxError `config_invalid` that names every fault.
 */
export function readSettings(
  given: SettingTexts,
  env: Readonly<Record<string, string | undefined>>,
  stored: SettingTexts,
): Settings {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const words = given[name] ?? env[setting.env] ?? stored[name];
    const parsed = words === undefined ? { value: setting.initial } : setting.parse(words.trim());
    if ('fault' in parsed) faults.push(`${setting.env} ${parsed.fault}`);
    else values[name] = parsed.value;
  }
  for (const name of Object.keys(stored)) {
    if (!(name in SETTINGS)) faults.push(`kashbox.json names an unknown setting "${name}"`);
  }
  if (faults.length > 0) throw new KashboxError('config_invalid', { message: faults.join('; ') });
  return Object.freeze(values) as Settings;
}
