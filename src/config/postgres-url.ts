/**
 * Validates a PostgreSQL address. The driver accepts much that it then ignores; a parameter that an operator
 * relies on must be applied or refused. Errors repeat only the names of the parameters.
 */

/** Parameters that the driver applies, with the pattern of each value. */
const PARAMETERS: Readonly<Record<string, RegExp>> = {
  host: /./,
  port: /^\d+$/,
  user: /./,
  password: /^/,
  application_name: /./,
  options: /./,
  ssl: /^(true|false|1|0)$/,
  sslmode: /^(disable|prefer|require|verify-ca|verify-full|no-verify)$/,
  sslcert: /./,
  sslkey: /./,
  sslrootcert: /./,
  sslnegotiation: /^(postgres|direct)$/,
  uselibpqcompat: /^(true|false)$/,
  statement_timeout: /^\d+$/,
  lock_timeout: /^\d+$/,
  idle_in_transaction_session_timeout: /^\d+$/,
  target_session_attrs: /^(read-write|primary)$/,
};

const FORM = 'must be an address such as postgres://user:password@host:5432/kashbox';
const SEVERAL =
  'names several hosts in its parameter host: write them before the database, as in postgres://user:password@first:5432,second:5432/kashbox';
const WRONG_TARGET =
  'asks by target_session_attrs for a server that need not take writes, and Kashbox needs one that does: leave it out, or write read-write';
/** Pattern of a parameter name that an error may repeat; a longer text may be a secret in the wrong place. */
const NAME = /^\w{1,40}$/;

/** Kashbox always needs the server that takes writes. */
const TARGET = 'target_session_attrs';

/** `postgres://user:password@`, `first:5432,second:5432`, `/kashbox?…` */
function partsOf(address: string): { before: string; hosts: string; behind: string } | null {
  const [, scheme = '', rest = ''] = /^(postgres(?:ql)?:\/\/)(.*)$/s.exec(address) ?? [];
  if (scheme === '') return null;
  const [authority = ''] = rest.split(/[/?#]/);
  // The user and the password before it may have commas.
  const start = authority.lastIndexOf('@') + 1;
  const before = scheme + authority.slice(0, start);
  return { before, hosts: authority.slice(start), behind: rest.slice(authority.length) };
}

/**
 * Splits an address of several hosts, as libpq does: `h1:5432,h2:5432`.
 * @returns addresses of one host each, in the same order, for the driver.
 */
export function postgresAddresses(address: string): readonly string[] {
  const parts = partsOf(address);
  if (parts === null) return [address];
  const behind = withoutTarget(parts.behind);
  return parts.hosts.split(',').map((host) => `${parts.before}${host}${behind}`);
}

/** The driver does not know it. */
function withoutTarget(behind: string): string {
  const [path = '', query] = behind.split('?', 2);
  const kept = (query ?? '').split('&').filter((part) => part !== '' && !part.startsWith(`${TARGET}=`));
  return kept.length === 0 ? path : `${path}?${kept.join('&')}`;
}

/** @returns what is wrong with it, or null if it is valid. */
export function postgresUrlFault(address: string): string | null {
  const parts = partsOf(address);
  if (parts === null) return FORM;
  const { before, hosts, behind } = parts;
  const all = hosts.split(',');
  if (all.length > 1 && all.includes('')) return FORM;
  for (const host of all) {
    const fault = hostFault(`${before}${host}${behind}`);
    if (fault !== null) return fault;
  }
  return null;
}

function hostFault(address: string): string | null {
  // The driver also takes an empty host beside a user, for a Unix socket, which no URL may have.
  const url = address.replace('@/', '@localhost/');
  if (!URL.canParse(url)) return FORM;
  for (const [name, value] of new URL(url).searchParams) {
    if (!NAME.test(name)) return 'has a parameter that is not supported: leave it out';
    const allowed = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (allowed === undefined) return `has the parameter ${name}, which Kashbox does not heed: leave it out`;
    if (name === 'host' && value.includes(',')) return SEVERAL;
    if (name === TARGET && !allowed.test(value)) return WRONG_TARGET;
    if (!allowed.test(value)) return `has a parameter ${name} with a value that is not supported`;
  }
  return null;
}
