/**
 * What follows once a shop is made, in a terminal: the daemon runs, the phone calls, a payment is credited.
 * Each step can be passed over; leaving with Ctrl-C undoes nothing.
 */
import { say, type Text } from '../../base/values/say.js';
import { quoted } from '../../base/values/text.js';
import { Left, type Prompts } from './questions.js';
import { canInstall, daemonCommand, installService } from './service-unit.js';
import { isServing, type OwnDaemon, startOwnDaemon } from './serving-daemon.js';
import { playedLines, type Trial, tryPlayed, tryReal, waitForPhone } from './try-shop.js';
import { waitFor } from './wait.js';

export interface LiveSetup extends Trial {
  readonly prompts: Prompts;
  /** Of the installation, for a daemon of our own. */
  readonly env: NodeJS.ProcessEnv;
  /** Address to listen on, so that the phone finds the daemon; undefined for what the settings say. */
  readonly host: string | undefined;
  /** Whether there is a phone to wait for. */
  readonly hasPhone: boolean;
}

/** @throws KashboxError */
export async function setUpLive(setup: LiveSetup): Promise<void> {
  const { speaker, note, host, hasPhone } = setup;
  let own: OwnDaemon | null = null;
  try {
    if (hasPhone) {
      own = await provideDaemon(setup);
      await waitForPhone(setup);
    }
    await payOnce(setup);
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    const again = `kashbox setup --brand ${quoted(setup.brand)}`;
    note(speaker.speak(say`You left. The shop stays as it is; to try it later: ${again}`));
  } finally {
    await own?.stop();
  }
  if (hasPhone && !(await isServing(setup.core))) {
    note(speaker.speak(say`Next: ${daemonCommand(host)}`));
  }
}

/** @returns the daemon that is to be stopped at the end; null where another one runs. */
async function provideDaemon(setup: LiveSetup): Promise<OwnDaemon | null> {
  const { core, prompts, env, host, note } = setup;
  const { speak } = setup.speaker;
  if (await isServing(core)) return null;
  const service = { value: 'service', name: say`as a service, which starts with this machine` } as const;
  const chosen = await prompts.choose(say`The phone needs the daemon. How shall it run?`, [
    ...(canInstall() ? [service] : []),
    { value: 'now', name: say`now, until setup ends` },
    { value: 'self', name: say`I start it in another terminal: ${daemonCommand(host)}` },
  ]);
  switch (chosen) {
    case 'service': {
      const isOfMachine = process.getuid?.() === 0;
      const file = installService({ home: core.home.folder, host, isOfMachine });
      note(speak(say`The service runs: ${file}`));
      break;
    }
    case 'now':
      return startOwnDaemon(core, env, host);
    case 'self':
      break;
    default:
      return chosen satisfies never;
  }
  const what: Text = say`Waiting until the daemon answers. Press Enter to go on without it.`;
  const look = async () => ((await isServing(core)) ? true : null);
  await waitFor({ what: speak(what), look, limitMs: Number.POSITIVE_INFINITY });
  return null;
}

/** The least that every wallet sends. */
const TEST_PAISA = 1_000;

async function payOnce(setup: LiveSetup): Promise<void> {
  const { prompts, note, speaker, hasPhone } = setup;
  const real = { value: 'real', name: say`with Tk 10 that you send from another phone` } as const;
  const chosen = await prompts.choose(say`Make a test payment?`, [
    ...(hasPhone ? [real] : []),
    { value: 'played', name: say`played: an invented SMS, of which nothing stays in the books` },
    { value: 'none', name: say`not now` },
  ]);
  switch (chosen) {
    case 'real': {
      const paid = await tryReal(setup, TEST_PAISA);
      if (paid === null) note(speaker.speak(say`No such SMS came. To see why: kashbox doctor`));
      return;
    }
    case 'played':
      for (const line of playedLines(await tryPlayed(setup), speaker)) note(line);
      return;
    case 'none':
      return;
    default:
      return chosen satisfies never;
  }
}
