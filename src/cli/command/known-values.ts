/** Values of flags as people spell them: `--status completed`, `--channel bkash`. Runs before oclif does. */
import type { FlagInput } from '@oclif/core/interfaces';
import { channelNamed, MFS_CHANNELS } from '../../domain/accounts/channels.js';

interface Known {
  readonly type: string;
  readonly options?: readonly string[];
  readonly helpValue?: string | readonly string[];
}

const takesChannel = ({ options, helpValue }: Known) =>
  options?.includes(String(MFS_CHANNELS[0])) === true || String(helpValue ?? '').startsWith('CHANNEL');

/** `bkash`, `bkash=1.85%` and `bkash:personal:017…` begin with a channel. */
function knownValue(typed: string, flag: Known): string {
  const end = typed.search(/[:=]/);
  const [name, rest] = end === -1 ? [typed, ''] : [typed.slice(0, end), typed.slice(end)];
  const meant = takesChannel(flag) ? `${channelNamed(name) ?? name}${rest}` : typed;
  return flag.options?.find((option) => option.toLowerCase() === meant.toLowerCase()) ?? meant;
}

/** @returns the words of a command line with the values of flags as those know them; the rest as typed. */
export function withKnownValues(argv: readonly string[], flags: FlagInput): string[] {
  const known: Readonly<Record<string, Known | undefined>> = flags as Record<string, Known>;
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length;
  return argv.map((word, at) => {
    if (at >= end) return word;
    const [name = '', value] = word.split(/=(.*)/s);
    const own = name.startsWith('--') ? known[name.slice(2)] : undefined;
    if (own !== undefined) return value === undefined ? word : `${name}=${knownValue(value, own)}`;
    const before = argv[at - 1] ?? '';
    const flag = before.startsWith('--') ? known[before.slice(2)] : undefined;
    return flag?.type === 'option' ? knownValue(word, flag) : word;
  });
}
