/** Colours of states on a terminal: good, pending, bad. The state is always printed as a word too. */

const CODES = { green: 32, yellow: 33, red: 31 } as const;

const COLOURS: Readonly<Record<keyof typeof CODES, readonly string[]>> = {
  green: ['ACTIVE', 'APPROVED', 'COMPLETED', 'DELIVERED', 'ONLINE', 'SENT', 'ok'],
  yellow: ['PENDING', 'EXPIRING', 'STALE', 'LEASED', 'OPEN', 'PENDING', 'QUEUED', 'SUSPENDED', 'warn'],
  red: ['FAILED', 'EXPIRED', 'FAIL', 'FAILED', 'OFFLINE', 'REJECTED', 'REVOKED', 'UNKNOWN'],
};

const CODE_OF = new Map(
  Object.entries(COLOURS).flatMap(([colour, states]) =>
    states.map((state) => [state, CODES[colour as keyof typeof CODES]] as const),
  ),
);

/** True if it is a terminal, and neither NO_COLOR (no-color.org) nor TERM forbids escape sequences. */
export function hasColour(
  stream: { readonly isTTY?: boolean },
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  return stream.isTTY === true && (env.NO_COLOR ?? '') === '' && env.TERM !== 'dumb';
}

/** @returns the state in its colour, or as it is where it has none. */
export function tinted(state: string): string {
  const code = CODE_OF.get(state.trim());
  return code === undefined ? state : `\u001b[${code}m${state}\u001b[39m`;
}

/** Lines such as `Status    COMPLETED (credited)` and `FAIL  store: …`, with their states in colour. */
export function tintedLine(line: string): string {
  return line.replace(/^((?:State|Status) +)?(\w+)(?= *(?:$|\(| {2}))/, (whole, word = '', state: string) => {
    // Without a word before it only a mark of `doctor` is a state.
    if (word === '' && !/^(ok|warn|FAIL)$/.test(state)) return whole;
    return word + tinted(state);
  });
}
