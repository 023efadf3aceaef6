/** `kashbox setup` in a terminal: asks what the shop is, makes it, goes on until a payment reaches it. */
import { listBrands } from '../../actions/brands/brand-view.js';
import type { Core } from '../../actions/core/core.js';
import { requireFreeName } from '../../actions/merchants/require-free-name.js';
import { triedShop } from '../../actions/test-payments/play-payments.js';
import { refuse } from '../../base/errors/refuse.js';
import { say } from '../../base/values/say.js';
import { daemonAddresses, httpsBase } from '../input/daemon-address.js';
import { requireTerminal } from '../input/require-terminal.js';
import { setUpLive } from './live-setup.js';
import { makeShop, printShop } from './make-shop.js';
import { createPrompts, Left, type Prompts } from './questions.js';
import type { Setup } from './set-up.js';
import { askShop, type PlannedShop } from './wizard.js';

const HINT =
  'Give everything as flags: kashbox setup --merchant-name NAME --account mfs_a:personal:01712345678';

/** A person ends each wait by Enter. */
const NO_LIMIT = Number.POSITIVE_INFINITY;

/** Of a shop that is there already: the steps behind the questions. @throws KashboxError */
export async function proveInTerminal(setup: Setup, named: string): Promise<void> {
  requireTerminal('There is no terminal to ask in', 'Say what to do: --wait SECONDS, --test-payment played');
  const { name, devices } = await triedShop(await setup.cli.core(), named);
  await live(setup, { brand: name, host: undefined, hasPhone: devices.length > 0 });
}

/** @throws KashboxError `invalid_input` if the person leaves before anything is made */
export async function setUpInTerminal(setup: Setup): Promise<void> {
  requireTerminal('There is no terminal to ask in', HINT);
  const { cli, flags, speaker } = setup;
  const core = await cli.core();
  const prompts = createPrompts(speaker);
  const chosen = await unlessLeft(() => chooseShop(core, prompts, flags.url));
  if ('brand' in chosen) return proveInTerminal(setup, chosen.brand);
  const made = await makeShop(core, chosen, cli.who);
  if (flags.json) return cli.show(made.shop, flags, () => []);
  await printShop(cli, made, speaker, false);
  const { shop, host, details } = made;
  await live(setup, { brand: shop.brand.name, host, hasPhone: details !== null });
}

/** A new shop, or one that is there already and is to be tried. */
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
    const chosen = await prompts.choose(say`There is a shop already. What do you want?`, [
      { value: NEW, name: say`set up another shop` },
      ...brands.map(({ name }) => ({ value: name, name: say`try ${name}: its phone and a test payment` })),
    ]);
    if (chosen !== NEW) return { brand: chosen };
  }
  return askShop(prompts, checkName, addresses);
}

/** No brand has no name. */
const NEW = '';

async function unlessLeft<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    return refuse(
      'You left before the end; nothing was made',
      'Start again whenever you like: kashbox setup',
    );
  }
}

interface LiveShop {
  /** Its name. */
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
