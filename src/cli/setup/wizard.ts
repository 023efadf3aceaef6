/** Asks a person, step by step, what a first shop needs. Prompts go to stderr; nothing is written here. */
import inquirer from 'inquirer';
import { walletOf } from '../../actions/accounts/check-account.js';
import { emailField, mobileField, nameField, phoneField } from '../../actions/input/fields.js';
import type { ShopPlan } from '../../actions/merchants/set-up-shop.js';
import { isKashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { asciiDigits } from '../../base/values/text.js';
import { MFS_ACCOUNT_TYPES } from '../../domain/accounts/channels.js';
import { NO_PLUGIN, PLUGIN_NAMES, PLUGINS, type PluginName } from '../../domain/plugins/plugins.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { type DaemonAddress, httpsBase } from '../input/daemon-address.js';

type Account = ShopPlan['accounts'][number];

const CHOICES = WALLETS.map(({ channel, name }) => ({ value: channel, name: `${name.en} (${channel})` }));

const prompt = inquirer.createPromptModule({ output: process.stderr });

/** Turns a field's check into what inquirer wants: true, or the sentence to show. */
const accepts = (check: (text: string) => unknown) => async (text: string) => {
  try {
    await check(text);
    return true;
  } catch (error) {
    return isKashboxError(error) ? `${error.message}. ${error.hint}` : String(error);
  }
};

async function ask(message: string, check: (text: string) => unknown, initial = ''): Promise<string> {
  const answers = await prompt<{ text: string }>([
    {
      type: 'input',
      name: 'text',
      message,
      validate: accepts(check),
      ...(initial === '' ? {} : { default: initial }),
    },
  ]);
  return answers.text.trim();
}

async function choose<Value extends string>(
  message: string,
  choices: readonly { readonly value: Value; readonly name: string }[],
): Promise<Value> {
  const answers = await prompt<{ chosen: string }>([{ type: 'select', name: 'chosen', message, choices }]);
  const choice = choices.find(({ value }) => value === answers.chosen);
  if (choice === undefined) throw new TypeError(`${answers.chosen} was not among the choices`);
  return choice.value;
}

async function confirmed(message: string): Promise<boolean> {
  const answers = await prompt<{ yes: boolean }>([{ type: 'confirm', name: 'yes', message, default: true }]);
  return answers.yes;
}

async function askAccount(): Promise<Account> {
  const channel = await choose('Which wallet takes the money?', CHOICES);
  const types = MFS_ACCOUNT_TYPES[channel].map((type) => ({ value: type, name: type }));
  const type = await choose('What kind of account is it?', types);
  const typed = await ask('Its number:', (text) => walletOf({ channel, type, number: text }));
  return { channel, type, number: asciiDigits(typed) };
}

async function askAccounts(): Promise<Account[]> {
  const accounts = [await askAccount()];
  while (await confirmed('Another wallet?')) accounts.push(await askAccount());
  return accounts;
}

/** What many do not know yet comes first: it can be told later, by brands update. */
async function askPlugin(): Promise<PluginName | undefined> {
  const programs = PLUGIN_NAMES.map((name) => ({ value: name, name: `${PLUGINS[name].title} (${name})` }));
  const none = { value: NO_PLUGIN, name: 'My own, or I do not know yet' } as const;
  const chosen = await choose('Which program does the shop run?', [none, ...programs]);
  return chosen === NO_PLUGIN ? undefined : chosen;
}

/** One SIM for each number that an account has: the phone that gets its SMS must hold it. */
async function askDevice(accounts: readonly Account[]): Promise<ShopPlan['device']> {
  if (!(await confirmed('Is the phone that gets the SMS at hand?'))) return undefined;
  const name = await ask('A name for the phone:', (text) => nameField('name', text), 'counter-1');
  const numbers = [...new Set(accounts.map((account) => account.number))];
  const sims: string[] = [];
  for (const [at, number] of numbers.slice(0, 2).entries()) {
    sims.push(
      `${at + 1}=${await ask(`Number of SIM ${at + 1}:`, (text) => mobileField('sim', text), number)}`,
    );
  }
  return { name, sims };
}

/** Stands for an address that is not among those that are offered; no address is empty. */
const ANOTHER = '';

async function askAddress(offered: readonly DaemonAddress[]): Promise<string | undefined> {
  const [only, ...others] = offered;
  if (only !== undefined && others.length === 0) return only.url;
  const chosen = await choose('Where does the phone find the daemon of this machine?', [
    ...offered.map(({ url, about }) => ({ value: url, name: `${url}  (${about})` })),
    { value: ANOTHER, name: 'at another address' },
  ]);
  return chosen === ANOTHER ? ask('Its https address:', httpsBase) : chosen;
}

export interface PlannedShop {
  readonly plan: ShopPlan;
  /** https address by which the phone finds the daemon; undefined where there is no phone yet. */
  readonly url: string | undefined;
}

/** Checks a name for the shop; refuses one that another has. */
type CheckName = (text: string) => Promise<void>;

/**
 * @param checkName asked at once, because a name that is taken would cost all answers behind it.
 * @param addresses among which the person chooses; a single one is not asked for.
 * @returns what the person has answered; every answer is checked before the next question.
 * @throws KashboxError `invalid_input` if the person leaves with Ctrl-C.
 */
export async function askShop(
  checkName: CheckName,
  addresses: readonly DaemonAddress[],
): Promise<PlannedShop> {
  try {
    const plan = await askEverything(checkName);
    return { plan, url: plan.device === undefined ? undefined : await askAddress(addresses) };
  } catch (error) {
    if (!(error instanceof Error) || error.name !== 'ExitPromptError') throw error;
    refuse('You left before the end; nothing was made', 'Start again whenever you like: kashbox setup');
  }
}

async function askEverything(checkName: CheckName): Promise<ShopPlan> {
  const name = await ask('Name of the shop:', checkName);
  const mobile = await ask('Mobile number that customers see (may stay empty):', (text) =>
    phoneField('mobile', text),
  );
  const email = await ask('E-mail address that customers see (may stay empty):', (text) =>
    emailField('email', text),
  );
  const plugin = await askPlugin();
  const accounts = await askAccounts();
  return { name, mobile, email, plugin, accounts, device: await askDevice(accounts) };
}
