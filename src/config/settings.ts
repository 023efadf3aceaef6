/**
 * List of all settings: environment variable, default, limits and meaning of each. Parsed once, with all
 * faults reported together, then frozen. Precedence: flag, environment, `kashbox.json`, default.
 */
import { KashboxError } from '../base/errors/errors.js';
import { postgresUrlFault } from './postgres-url.js';

type SettingResult<T> = { readonly value: T } | { readonly fault: string };

interface Setting<T> {
  readonly initial: T;
  readonly about: string;
  parse(text: string): SettingResult<T>;
}

const setting = <T>(initial: T, about: string, parse: Setting<T>['parse']) => ({ initial, about, parse });

const integer = (initial: number, [min, max]: readonly [number, number], about: string): Setting<number> =>
  setting(initial, about, (text) => {
    const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
    const fault = `must be a whole number from ${min} to ${max}`;
    return value >= min && value <= max ? { value } : { fault };
  });

const text = (initial: string, about: string) => setting(initial, about, (value) => ({ value }));

/** As it is at first, unless a word says otherwise that cannot mean anything else. */
const yesOrNo = (initial: boolean, about: string): Setting<boolean> =>
  setting(initial, about, (words) =>
    words === 'true' || words === 'false' ? { value: words === 'true' } : { fault: 'must be true or false' },
  );

/** Path prefix: empty, or `/a/b` without a slash at its end. */
const pathPrefix = (about: string) =>
  setting('', about, (words) => {
    const value = words.replace(/\/+$/, '');
    return /^(\/[\w.~-]+)*$/.test(value) ? { value } : { fault: 'must be a path such as /pay' };
  });

/** Origin of a service; a path before `/api` belongs to `basePath`. */
const httpsOrigin = (about: string) =>
  setting('', about, (words) => {
    if (words === '') return { value: '' };
    const origin = URL.canParse(words) ? new URL(words).origin : '';
    const isOrigin = /^https:\/\/[^/]/.test(origin) && new URL(words).href === `${origin}/`;
    return isOrigin ? { value: origin } : { fault: 'must be an address such as https://pay.example.com' };
  });

/** Name of a public host; addresses and names of the local network get no certificate. */
const hostName = (about: string) =>
  setting('', about, (words) => {
    if (words === '') return { value: '' };
    const name = URL.canParse(`https://${words}`) ? new URL(`https://${words}`).hostname : '';
    const isName = /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(name) && !/[/:@?#]/.test(words);
    const fault = 'must be a domain name such as pay.example.com, without https:// and without a port';
    return isName ? { value: name } : { fault };
  });

const httpsUrl = (initial: string, about: string) =>
  setting<string>(initial, about, (words) => {
    const isUrl = URL.canParse(words) && new URL(words).protocol === 'https:';
    return isUrl ? { value: words } : { fault: 'must be an https:// address' };
  });

const list = (about: string): Setting<readonly string[]> =>
  setting([], about, (value) => {
    const parts = value.split(',').map((part) => part.trim());
    return { value: parts.filter((part) => part !== '') };
  });

const oneOf = <T extends string>(initial: T, allowed: readonly T[], about: string): Setting<T> =>
  setting(initial, about, (value) => {
    const known = allowed.find((item) => item === value);
    return known === undefined ? { fault: `must be one of ${allowed.join(', ')}` } : { value: known };
  });

/** A secret that callers send in a header; one that is short could be guessed. */
const token = (about: string) =>
  setting('', about, (value) =>
    value === '' || /^[\w.~+/=-]{16,200}$/.test(value)
      ? { value }
      : { fault: 'must be 16 to 200 letters, digits or -._~+/=' },
  );

/** Passphrase of backups; anyone who has the file could guess a short one. */
const passphrase = (about: string) =>
  setting('', about, (value) =>
    value === '' || (value.length >= MIN_PASSPHRASE && value.length <= MAX_PASSPHRASE)
      ? { value }
      : { fault: `must be ${MIN_PASSPHRASE} to ${MAX_PASSPHRASE} characters` },
  );

const postgresUrl = (about: string) =>
  setting('', about, (value) => {
    const fault = value === '' ? null : postgresUrlFault(value);
    return fault === null ? { value } : { fault };
  });

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

export const LOG_FORMATS = ['auto', 'json', 'text'] as const;

export const MIN_PASSPHRASE = 12;
export const MAX_PASSPHRASE = 1_000;

/** Let's Encrypt, production. */
const LETS_ENCRYPT = 'https://acme-v02.api.letsencrypt.org/directory';

/** A month of each; also for a brand's own values. */
export const MAX_SESSION_MINUTES = 43_200;
export const MAX_PROOF_WINDOW_HOURS = 720;

/** Each is also the environment variable `envVariableName` its name. */
export const SETTINGS = {
  databaseUrl: postgresUrl('PostgreSQL URL; empty: SQLite in the home folder'),
  host: text('127.0.0.1', 'Address that the daemon listens on'),
  port: integer(8443, [0, 65_535], 'HTTPS port'),
  httpPort: integer(8080, [0, 65_535], 'Plain HTTP port, which only redirects or refuses'),
  domain: hostName(
    'Domain name for which a certificate is obtained and renewed; then host, port and httpPort default to 0.0.0.0, 443 and 80',
  ),
  acmeDirectory: httpsUrl(LETS_ENCRYPT, 'URL of the certificate authority (ACME directory)'),
  acmeEmail: text('', 'E-mail address for the certificate authority; empty: none'),
  tlsCert: text('', 'Certificate file (PEM); empty: a self-signed one is created'),
  tlsKey: text('', 'Private key file (PEM)'),
  trustProxy: list('Addresses or CIDR ranges of proxies whose X-Forwarded-* headers are trusted'),
  basePath: pathPrefix('Path before /api, for clients that expect one'),
  publicUrl: httpsOrigin('Address at which customers reach the daemon; empty: the host that the shop called'),
  allowPrivateWebhooks: yesOrNo(
    false,
    'For development only: allow notifications to private addresses and over plain http',
  ),
  logLevel: oneOf('info', LOG_LEVELS, 'Log level of the daemon'),
  logFormat: oneOf('auto', LOG_FORMATS, 'Log format; auto: text on a terminal, else json'),
  requestsPerMinute: integer(600, [1, 100_000_000], 'Requests per minute and key'),
  failedAuthPerMinute: integer(30, [1, 100_000_000], 'Failed authentications per minute and address'),
  checkoutRequestsPerMinute: integer(
    120,
    [1, 100_000_000],
    'Forms and event streams per minute, payment link and address',
  ),
  checkoutFailuresPerMinute: integer(
    120,
    [1, 100_000_000],
    'Unknown links, refused forms, and ids that are not found or do not pay, per minute and address',
  ),
  checkoutStreams: integer(
    5_000,
    [0, 100_000],
    'Open payment pages with live updates; further pages poll every few seconds',
  ),
  relayStreams: integer(
    5_000,
    [0, 100_000],
    'Event streams and waiting requests of relay phones; further phones poll every ten seconds',
  ),
  bodyKib: integer(64, [1, 10_240], 'Maximum request body in KiB'),
  smsCentre: oneOf(
    'review',
    ['review', 'ignore'],
    'Wallet SMS over an SMS centre that is new to its SIM, as GSM modems report: manual review, or ignore',
  ),
  missesPerSession: integer(30, [1, 10_000], 'Wrong transaction ids that a session may try'),
  sessionMinutes: integer(60, [1, MAX_SESSION_MINUTES], 'Lifetime of a session in minutes, for new brands'),
  proofWindowHours: integer(
    24,
    [1, MAX_PROOF_WINDOW_HOURS],
    'Maximum age of a payment before its session in hours, for new brands',
  ),
  chainConfirmations: integer(
    120,
    [1, 100_000],
    'Blocks after a transfer until it is final, if a node does not report final blocks',
  ),
  agreeingNodes: integer(1, [1, 5], 'Nodes that must agree on a transfer before it is credited or refused'),
  overpaidPercent: integer(
    2,
    [0, 1_000],
    'Percentage above the USDT amount from which a payment needs manual review',
  ),
  dispatchQueue: integer(1_000, [1, 100_000], 'Maximum number of SMS that wait for one phone'),
  // Android asks the owner of a phone from 30 a minute on; fewer keep clear of that.
  partsAMinute: integer(24, [10, 100_000], 'SMS parts that one phone may send per minute'),
  dispatchLeaseSeconds: integer(
    600,
    [1, 86_400],
    'Seconds without a report from a phone that took an SMS until its state is UNKNOWN',
  ),
  slipMibADay: integer(
    100,
    [0, 1_000_000],
    'MiB of slips stored per day and brand; further claims are accepted without their slips',
  ),
  keepDays: integer(
    180,
    [0, 36_500],
    'Days for which finished notifications, pairing codes, sent SMS, alerts, gaps and slips are kept; 0: permanently',
  ),
  backupFolder: text('', 'Folder for nightly backups; empty: none'),
  backupKeep: integer(7, [1, 1_000], 'Number of nightly backups that are kept'),
  backupPassphrase: passphrase('Passphrase that encrypts backups; empty: not encrypted'),
  backupPassphraseFile: text('', 'File whose first line is the passphrase'),
  updateCheck: yesOrNo(
    true,
    'Allow `kashbox update --check` to query the npm registry, which nothing else does',
  ),
  metricsToken: token('Token with which other machines may read /metrics; empty: this machine only'),
} as const;

type SettingName = keyof typeof SETTINGS;

/** `KASHBOX_HTTP_PORT` of `httpPort`. */
export function envVariableName(name: string): string {
  return `KASHBOX_${name.replace(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase()}`;
}

/** `--http-port` of `httpPort`. */
function flagOf(name: string): string {
  return `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

export type Settings = Readonly<{
  [Name in SettingName]: (typeof SETTINGS)[Name]['initial'] extends infer T ? T : never;
}>;

/** @returns the text with the highest precedence, and the name that its author uses for the setting. */
function sourceOf(
  name: SettingName,
  given: SettingTexts,
  env: Readonly<Record<string, string | undefined>>,
  stored: SettingTexts,
): readonly [text: string | undefined, source: string] {
  const variable = envVariableName(name);
  if (given[name] !== undefined) return [given[name], flagOf(name)];
  if (env[variable] !== undefined) return [env[variable], variable];
  return [stored[name], `"${name}" in kashbox.json`];
}

/** Settings as text, by name: what flags and `kashbox.json` hold. Undefined means not given. */
export type SettingTexts = Readonly<Partial<Record<SettingName, string | undefined>>>;

/**
 * Returns the non-public addresses that the notifications of a brand may go to, in addition to public ones.
 * `true`: all. `loopback`: this machine, for a test brand of a daemon that only this machine can reach. A
 * daemon that others can reach has shops whose programmers must not be able to call local services.
 */
export function privateWebhooks(settings: Settings, isTest: boolean): boolean | 'loopback' {
  const { allowPrivateWebhooks, host, publicUrl, trustProxy } = settings;
  if (allowPrivateWebhooks) return true;
  const isAlone =
    ['127.0.0.1', '::1', 'localhost'].includes(host) && publicUrl === '' && trustProxy.length === 0;
  return isTest && isAlone ? 'loopback' : false;
}

/** Defaults of a daemon with a domain: the ports that customers and the certificate authority call. */
const DOMAIN_DEFAULTS: Readonly<Record<string, unknown>> = { host: '0.0.0.0', port: 443, httpPort: 80 };

/** The public address follows from the domain, unless it is set or the port is not known. */
function publicUrlOf({ publicUrl, domain, port }: Settings): string {
  if (publicUrl !== '' || domain === '' || port === 0) return publicUrl;
  return `https://${domain}${port === 443 ? '' : `:${port}`}`;
}

/**
 * @param given texts from flags, which win over everything.
 * @param env the process environment.
 * @param stored texts from the home folder's `kashbox.json`.
 * @throws KashboxError `config_invalid` that names every fault.
 */
export function parseSettings(
  given: SettingTexts,
  env: Readonly<Record<string, string | undefined>>,
  stored: SettingTexts,
): Settings {
  const values: Record<string, unknown> = {};
  const faults: string[] = [];
  const hasDomain = (sourceOf('domain', given, env, stored)[0] ?? '').trim() !== '';
  const defaults = hasDomain ? DOMAIN_DEFAULTS : {};
  for (const [name, setting] of Object.entries(SETTINGS) as [SettingName, Setting<unknown>][]) {
    const [words, source] = sourceOf(name, given, env, stored);
    const initial = defaults[name] ?? setting.initial;
    const parsed = words === undefined ? { value: initial } : setting.parse(words.trim());
    if ('fault' in parsed) faults.push(`${source} ${parsed.fault}`);
    else values[name] = parsed.value;
  }
  for (const name of Object.keys(stored)) {
    if (!(name in SETTINGS)) faults.push(`kashbox.json names an unknown setting "${name}"`);
  }
  if (faults.length > 0) throw new KashboxError('config_invalid', { message: faults.join('; ') });
  const settings = values as Settings;
  return Object.freeze({ ...settings, publicUrl: publicUrlOf(settings) });
}
