/**
 * What an address of PostgreSQL may say. The driver takes much that it then ignores; what an operator relies
 * on must be done or refused. Nothing of the address is repeated but the names of its parameters.
 */

/** Those that the driver heeds, and what each may be. */
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
};

const FORM = 'must be an address such as postgres://user:password@host:5432/kashbox';
const SEVERAL =
  'names several hosts, which is not supported yet: put a proxy or a virtual address in front of the servers, and name that';
/** More than any that there is; what is longer may be a secret in the wrong place. */
const NAME = /^\w{1,40}$/;

/** @returns what is wrong with it, or null. */
export function postgresUrlFault(address: string): string | null {
  const [, rest] = /^postgres(?:ql)?:\/\/(.*)$/s.exec(address) ?? [];
  if (rest === undefined) return FORM;
  const [authority = ''] = rest.split(/[/?#]/);
  // The user and the password before it may have commas.
  const hosts = authority.slice(authority.lastIndexOf('@') + 1);
  if (hosts.includes(',')) return SEVERAL;
  // The driver also takes an empty host beside a user, for a Unix socket, which no URL may have.
  const url = address.replace('@/', '@localhost/');
  if (!URL.canParse(url)) return FORM;
  for (const [name, value] of new URL(url).searchParams) {
    if (!NAME.test(name)) return 'has a parameter that is not supported: leave it out';
    const allowed = Object.hasOwn(PARAMETERS, name) ? PARAMETERS[name] : undefined;
    if (allowed === undefined) return unknown(name);
    if (name === 'host' && value.includes(',')) return SEVERAL;
    if (!allowed.test(value)) return `has a parameter ${name} with a value that is not supported`;
  }
  return null;
}

function unknown(name: string): string {
  const more =
    name === 'target_session_attrs'
      ? ' (it always needs a server that takes writes, and says where it is none)'
      : '';
  return `has the parameter ${name}, which Kashbox does not heed${more}: leave it out`;
}
