/** Reports a failure: as text on stderr, or as JSON on stdout for scripts. */
import { escapedControls } from '../../base/values/cells.js';
import type { Failure } from './failure.js';

/** True if the arguments ask for JSON; the flags themselves may be what could not be parsed. */
function wantsJson(argv: readonly string[]): boolean {
  const end = argv.indexOf('--');
  const flags = end === -1 ? argv : argv.slice(0, end);
  return flags.includes('--json') || flags.includes('--ndjson');
}

/**
 * @param argv arguments of the command as they were typed.
 * @param cause what was thrown; its stack is shown only where KASHBOX_DEBUG asks for it.
 */
export function reportFailure(failure: Failure, argv: readonly string[], cause?: unknown): void {
  const { code, message, hint } = failure;
  if (wantsJson(argv)) write(process.stdout, `${JSON.stringify({ error: { code, message, hint } })}\n`);
  else write(process.stderr, `Error: ${message}\nNext: ${hint}\n`);
  const debug = process.env.KASHBOX_DEBUG;
  if (debug === undefined || debug === '' || debug === '0') return;
  for (let error = cause; error instanceof Error; error = error.cause) {
    write(process.stderr, `${error.stack ?? error.message}\n`);
  }
}

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(escapedControls(text));
}
