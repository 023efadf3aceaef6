/** `kashbox doctor` */
import { requireHome } from '../src/actions/core/require-home.js';
import type { Check } from '../src/actions/doctor/check.js';
import { examine } from '../src/actions/doctor/examine.js';
import { isKashboxError } from '../src/base/errors/errors.js';
import { command } from '../src/cli/command/define.js';
import { langFlag, loadLocalizer } from '../src/cli/language/language.js';

const MARKS: Readonly<Record<Check['state'], string>> = { ok: 'ok  ', warn: 'warn', fail: 'FAIL' };
/** Refused in this state. */
const EXIT_FAILED = 4;

export default command({
  summary: 'Check the installation and suggest fixes.',
  description:
    'Checks the home folder, settings, store, disk, certificate, clock, phones and accounts, and calls ' +
    'your nodes and exchanges. Exit code 0 if nothing failed, else 4.',
  doing: 'Checking',
  examples: ['$', '$ --lang bn', '$ --json'],
  flags: { lang: langFlag() },
  async run({ cli, flags }) {
    const { speak } = await loadLocalizer(flags.lang, process.env);
    const { folder, env } = await cli.homeFolder();
    await refuseNowhere(folder, env);
    const checks = await examine(folder, () => cli.core(), speak);
    const failed = checks.some((check) => check.state === 'fail');
    if (failed) process.exitCode = EXIT_FAILED;
    cli.show({ ok: !failed, checks }, flags, () => checks.flatMap(linesOf));
  },
});

/** Refuses a folder without an installation: nothing to check. Other problems are reported as checks. */
async function refuseNowhere(folder: string, env: NodeJS.ProcessEnv): Promise<void> {
  try {
    requireHome(folder, env);
  } catch (error) {
    if (isKashboxError(error, 'store_unreachable')) throw error;
  }
}

function linesOf(check: Check): string[] {
  const line = `${MARKS[check.state]}  ${check.name}: ${check.message}`;
  return check.remedy === null ? [line] : [line, `      → ${check.remedy}`];
}
