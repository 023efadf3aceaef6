/** Runs `kashbox setup` in a terminal: prompts, creates the shop, continues until a payment is credited. */
import { listBrands } from '../../actions/brands/brand-view.js';
import type { Core } from '../../actions/core/core.js';
import { requireFreeName } from '../../actions/merchants/set-up-shop.js';
import { loadShopUnderTest } from '../../actions/test-payments/simulate-payments.js';
import { refuse } from '../../base/errors/refuse.js';
import { msg, type Text } from '../../base/values/msg.js';
import { quoted } from '../../base/values/text.js';
import { requireTerminal } from '../input/ask.js';
import { daemonAddresses, httpsBase } from '../input/daemon-address.js';
import {
  canInstall,
  daemonCommand,
  installService,
  isServing,
  type ManagedDaemon,
  startManagedDaemon,
} from './managed-daemon.js';
import { makeShop, printShop, type Setup } from './set-up.js';
import { hasDomainName, setUpServer } from './set-up-server.js';
import {
  playedLines,
  type SetupCheckContext,
  tryPlayed,
  tryReal,
  waitFor,
  waitForPhone,
} from './try-shop.js';
import { createPrompts, type PlannedShop, PromptAborted, type Prompts, promptShop } from './wizard.js';

const HINT =
  'Give everything as flags: kashbox setup --merchant-name NAME --account mfs_a:personal:01712345678';

/** Infinite time limit: the user ends each wait with Enter. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Runs the steps after the questions, for an existing shop. @throws KashboxError */
export async function runSetupChecksInteractive(setup: Setup, named: string): Promise<void> {
  requireTerminal(
    'There is no terminal to ask in',
    'Say what to do: --wait SECONDS, --test-payment simulated',
  );
  const { name, devices } = await loadShopUnderTest(await setup.cli.core(), named);
  await live(setup, { brand: name, host: undefined, hasPhone: devices.length > 0 });
}

/** @throws KashboxError `invalid_input` if the person leaves before anything is made */
export async function setUpInTerminal(setup: Setup): Promise<void> {
  requireTerminal('There is no terminal to ask in', HINT);
  const { cli, flags, speaker } = setup;
  if (flags.server !== true && (await unlessLeft(() => hasDomainName(setup)))) await setUpServer(setup, {});
  const core = await cli.core();
  const prompts = createPrompts(speaker);
  const chosen = await unlessLeft(() => chooseShop(core, prompts, flags.url));
  if ('brand' in chosen) return runSetupChecksInteractive(setup, chosen.brand);
  const made = await makeShop(core, chosen, cli.who);
  if (flags.json) return cli.show(made.shop, flags, () => []);
  await printShop(cli, made, speaker, false);
  const { shop, host, details } = made;
  await live(setup, { brand: shop.brand.name, host, hasPhone: details !== null });
}

/** Prompts for a new shop, or for an existing one to test. */
async function chooseShop(
  core: Core,
  prompts: Prompts,
  url: string | undefined,
): Promise<PlannedShop | { readonly brand: string }> {
  const given = url === undefined ? undefined : httpsBase(url);
  const checkName = (name: string) => requireFreeName(core, name);
  const addresses = given === undefined ? daemonAddresses(core) : [{ url: given, about: '' }];
  const brands = await listBrands(core, {});
  if (brands.length > 0) {
    const chosen = await prompts.choose(msg`There is already a shop. What do you want to do?`, [
      { value: NEW, name: msg`set up another shop` },
      ...brands.map(({ name }) => ({ value: name, name: msg`try ${name}: its phone and a test payment` })),
    ]);
    if (chosen !== NEW) return { brand: chosen };
  }
  return promptShop(prompts, checkName, addresses);
}

/** Value of the choice to set up another shop; no brand has an empty name. */
const NEW = '';

async function unlessLeft<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PromptAborted)) throw error;
    return refuse('Cancelled; nothing was made', 'Run it again: kashbox setup');
  }
}

interface LiveShop {
  readonly brand: string;
  readonly host: string | undefined;
  readonly hasPhone: boolean;
}

async function live({ cli, speaker }: Setup, shop: LiveShop): Promise<void> {
  await setUpLive({
    ...shop,
    core: await cli.core(),
    env: (await cli.homeFolder()).env,
    speaker,
    prompts: createPrompts(speaker),
    limitMs: NO_LIMIT,
    note: (line) => cli.note(line),
  });
}

interface LiveSetup extends SetupCheckContext {
  readonly prompts: Prompts;
  /** Environment of the installation, for a daemon that setup starts. */
  readonly env: NodeJS.ProcessEnv;
  /** Address to listen on, so that the phone finds the daemon; undefined for what the settings say. */
  readonly host: string | undefined;
  /** True if setup waits for a phone. */
  readonly hasPhone: boolean;
}

/** @throws KashboxError */
async function setUpLive(setup: LiveSetup): Promise<void> {
  const { speaker, note, host, hasPhone } = setup;
  let own: ManagedDaemon | null = null;
  try {
    if (hasPhone) {
      own = await provideDaemon(setup);
      await waitForPhone(setup);
    }
    await payOnce(setup);
  } catch (error) {
    if (!(error instanceof PromptAborted)) throw error;
    const again = `kashbox setup --brand ${quoted(setup.brand)}`;
    note(speaker.speak(msg`Setup stopped. The shop is kept; to test it later: ${again}`));
  } finally {
    await own?.stop();
  }
  if (hasPhone && !(await isServing(setup.core))) {
    note(speaker.speak(msg`Next: ${daemonCommand(host)}`));
  }
}

/** @returns the daemon that is to be stopped at the end; null where another one runs. */
async function provideDaemon(setup: LiveSetup): Promise<ManagedDaemon | null> {
  const { core, prompts, env, host, note } = setup;
  const { speak } = setup.speaker;
  if (await isServing(core)) return null;
  const service = { value: 'service', name: msg`as a service that starts with this machine` } as const;
  const chosen = await prompts.choose(msg`The phone needs the daemon. How should it run?`, [
    ...(canInstall() ? [service] : []),
    { value: 'now', name: msg`now, until setup ends` },
    { value: 'self', name: msg`I start it in another terminal: ${daemonCommand(host)}` },
  ]);
  switch (chosen) {
    case 'service': {
      const isOfMachine = process.getuid?.() === 0;
      const file = installService({ home: core.home.folder, host, isOfMachine });
      note(speak(msg`The service runs: ${file}`));
      break;
    }
    case 'now':
      return startManagedDaemon(core, env, host);
    case 'self':
      break;
    default:
      return chosen satisfies never;
  }
  const what: Text = msg`Waiting for the daemon. Press Enter to continue without it.`;
  const look = async () => ((await isServing(core)) ? true : null);
  await waitFor({ what: speak(what), look, limitMs: Number.POSITIVE_INFINITY });
  return null;
}

/** The least that every wallet sends. */
const TEST_PAISA = 1_000;

async function payOnce(setup: LiveSetup): Promise<void> {
  const { prompts, note, speaker, hasPhone } = setup;
  const real = { value: 'real', name: msg`with Tk 10 that you send from another phone` } as const;
  const chosen = await prompts.choose(msg`Make a test payment?`, [
    ...(hasPhone ? [real] : []),
    { value: 'simulated', name: msg`simulated: an invented SMS that leaves no trace` },
    { value: 'none', name: msg`not now` },
  ]);
  switch (chosen) {
    case 'real': {
      const paid = await tryReal(setup, TEST_PAISA);
      if (paid === null) note(speaker.speak(msg`No matching SMS arrived. To see why: kashbox doctor`));
      return;
    }
    case 'simulated':
      for (const line of playedLines(await tryPlayed(setup), speaker)) note(line);
      return;
    case 'none':
      return;
    default:
      return chosen satisfies never;
  }
}
