/** Prompts, step by step, for the data of a first shop. Writes nothing. */
import { homedir } from 'node:os';
import inquirer from 'inquirer';
import { checkAccount, readCodePicture, validateWallet } from '../../actions/accounts/check-account.js';
import { emailField, mobileField, nameField, phoneField } from '../../actions/input/fields.js';
import type { ShopPlan } from '../../actions/merchants/set-up-shop.js';
import { isKashboxError } from '../../base/errors/errors.js';
import { refuse } from '../../base/errors/refuse.js';
import { msg, type Text } from '../../base/values/msg.js';
import { asciiDigits } from '../../base/values/text.js';
import { findPersonalAccount } from '../../channels/qr-interbank/emv.js';
import { MFS_ACCOUNT_TYPES, type MfsAccountType, type MfsChannel } from '../../domain/accounts/channels.js';
import { NO_PLUGIN, PLUGIN_NAMES, PLUGINS, type PluginName } from '../../domain/plugins/plugins.js';
import { WALLETS } from '../../domain/wallets/index.js';
import { type DaemonAddress, httpsBase } from '../input/daemon-address.js';
import { codePictureFile } from '../input/whole-input.js';
import type { Localizer } from '../language/language.js';

type PlannedAccount = ShopPlan['accounts'][number];

const CHOICES = WALLETS.map(({ channel, name }) => ({
  value: channel,
  name: msg`${name.en} (${channel})`,
}));

const TYPES: Readonly<Record<MfsAccountType, OfferedChoice<MfsAccountType>>> = {
  personal: { value: 'personal', name: msg`personal: customers send money` },
  agent: { value: 'agent', name: msg`agent: customers cash out` },
  payment: { value: 'payment', name: msg`payment: a merchant account` },
};

const MOBILE = msg`Enter a mobile number of 11 digits, such as 01712345678.`;

/** A brand has one account of a kind on each wallet. @returns the kinds that were not named yet. */
const typesLeft = (channel: MfsChannel, accounts: readonly PlannedAccount[]) =>
  MFS_ACCOUNT_TYPES[channel].filter(
    (type) => !accounts.some((account) => account.channel === channel && account.type === type),
  );

const choicesLeft = (accounts: readonly PlannedAccount[]) =>
  CHOICES.filter(({ value }) => typesLeft(value, accounts).length > 0);

async function askAccount(
  { ask, choose }: Prompts,
  before: readonly PlannedAccount[],
): Promise<PlannedAccount> {
  const channel = await choose(msg`Which wallet receives the money?`, choicesLeft(before));
  const types = typesLeft(channel, before).map((type) => TYPES[type]);
  const type = await choose(msg`What kind of account is it?`, types);
  const check = (text: string) => validateWallet({ channel, type, number: text });
  const typed = await ask({ message: msg`Its number:`, check, wanted: MOBILE });
  const wallet = { channel, type, number: asciiDigits(typed) };
  return type === 'personal' ? { ...wallet, qr: await askCode(ask, wallet) } : wallet;
}

/** Prompts for the owner's Bangla QR. @returns its text; undefined for none. */
async function askCode(ask: Prompts['ask'], wallet: PlannedAccount): Promise<string | undefined> {
  let qr: string | undefined;
  const check = async (path: string) => {
    qr = path.trim() === '' ? undefined : await readCodePicture(await codePictureFile(fromHome(path.trim())));
    await checkAccount(wallet, { qr });
    if (qr !== undefined && findPersonalAccount(qr) === null) {
      refuse(
        'The picture shows no Bangla QR',
        "Take it from the wallet's app, or press Enter without a file.",
      );
    }
  };
  const wanted = msg`Enter the file of a picture that shows only the Bangla QR of that account, as PNG or JPEG.`;
  await ask({ message: msg`File of a picture of its Bangla QR (optional):`, check, wanted });
  return qr;
}

/** No shell replaces the tilde that people type here. */
const fromHome = (path: string) => path.replace(/^~(?=\/)/, homedir());

async function askAccounts(prompts: Prompts): Promise<PlannedAccount[]> {
  const accounts = [await askAccount(prompts, [])];
  while (choicesLeft(accounts).length > 0 && (await prompts.confirmed(msg`Another wallet?`, false))) {
    accounts.push(await askAccount(prompts, accounts));
  }
  return accounts;
}

/** Prompts for the shop's program. "Not known yet" comes first: `brands update` can set it later. */
async function askPlugin({ choose }: Prompts): Promise<PluginName | undefined> {
  const programs = PLUGIN_NAMES.map((name) => ({ value: name, name: `${PLUGINS[name].title} (${name})` }));
  const none = { value: NO_PLUGIN, name: msg`My own program, or not decided yet` } as const;
  const chosen = await choose(msg`Which program does the shop run?`, [none, ...programs]);
  return chosen === NO_PLUGIN ? undefined : chosen;
}

/** One SIM for each number that an account has: the phone that gets its SMS must hold it. */
async function askDevice(prompts: Prompts, accounts: readonly PlannedAccount[]): Promise<ShopPlan['device']> {
  if (!(await prompts.confirmed(msg`Do you have the phone that receives the SMS with you?`)))
    return undefined;
  const name = await prompts.ask({
    message: msg`A name for the phone:`,
    check: (text) => nameField('name', text),
    wanted: msg`Enter a short name, such as counter-1.`,
    initial: 'counter-1',
  });
  const numbers = [...new Set(accounts.map((account) => account.number))];
  const sims: string[] = [];
  for (const [at, number] of numbers.slice(0, 2).entries()) {
    const check = (text: string) => mobileField('sim', text);
    const message = msg`Number of SIM ${at + 1}:`;
    sims.push(`${at + 1}=${await prompts.ask({ message, check, wanted: MOBILE, initial: number })}`);
  }
  return { name, sims };
}

/** Value of the choice of another address; no address is empty. */
const ANOTHER = '';

async function askAddress(
  { ask, choose }: Prompts,
  offered: readonly DaemonAddress[],
): Promise<string | undefined> {
  const [only, ...others] = offered;
  if (only !== undefined && others.length === 0) return only.url;
  const chosen = await choose(msg`At which address can the phone reach this daemon?`, [
    ...offered.map(({ url, about }) => ({ value: url, name: msg`${url}  (${about})` })),
    { value: ANOTHER, name: msg`another address` },
  ]);
  if (chosen !== ANOTHER) return chosen;
  return ask({
    message: msg`Its https address:`,
    check: httpsBase,
    wanted: msg`Enter it in full, such as https://192.168.0.5:8443`,
  });
}

export interface PlannedShop {
  readonly plan: ShopPlan;
  /** https address at which the phone reaches the daemon; undefined if there is no phone yet. */
  readonly url: string | undefined;
}

/** Checks a name for the shop; refuses one that another has. */
type CheckName = (text: string) => Promise<void>;

/**
 * @param checkName called at once, because a duplicate name would invalidate all later answers.
 * @param addresses choices for the user; a single one is used without a prompt.
 * @returns the answers; each is validated before the next question.
 * @throws Left
 */
export async function promptShop(
  prompts: Prompts,
  checkName: CheckName,
  addresses: readonly DaemonAddress[],
): Promise<PlannedShop> {
  const plan = await askEverything(prompts, checkName);
  return { plan, url: plan.device === undefined ? undefined : await askAddress(prompts, addresses) };
}

async function askEverything(prompts: Prompts, checkName: CheckName): Promise<ShopPlan> {
  const name = await prompts.ask({
    message: msg`Name of the shop:`,
    check: checkName,
    wanted: msg`Enter a name that no other shop here has.`,
  });
  const mobile = await prompts.ask({
    message: msg`Mobile number that customers see (optional):`,
    check: (text) => phoneField('mobile', text),
    wanted: MOBILE,
  });
  const email = await prompts.ask({
    message: msg`E-mail address that customers see (optional):`,
    check: (text) => emailField('email', text),
    wanted: msg`Enter a full address, such as shop@example.com.`,
  });
  const plugin = await askPlugin(prompts);
  const accounts = await askAccounts(prompts);
  return { name, mobile, email, plugin, accounts, device: await askDevice(prompts, accounts) };
}

/** The person has left with Ctrl-C. */
export class PromptAborted extends Error {}

interface AskedQuestion {
  readonly message: Text;
  /** Throws an error if the answer is invalid. */
  readonly check: (text: string) => unknown;
  /** Description of a valid answer, for languages into which errors are not translated. */
  readonly wanted: Text;
  readonly initial?: string;
}

interface OfferedChoice<Value extends string> {
  readonly value: Value;
  readonly name: Text;
}

/** Each throws `PromptAborted`. */
export interface Prompts {
  /** Repeats the question until the answer is valid. @returns the trimmed answer. */
  ask(question: AskedQuestion): Promise<string>;
  choose<Value extends string>(message: Text, choices: readonly OfferedChoice<Value>[]): Promise<Value>;
  /** @param usual answer for Enter alone; default: true. */
  confirmed(message: Text, usual?: boolean): Promise<boolean>;
}

const prompt = inquirer.createPromptModule({ output: process.stderr });

async function answered<Answers>(answers: Promise<Answers>): Promise<Answers> {
  try {
    return await answers;
  } catch (error) {
    throw error instanceof Error && error.name === 'ExitPromptError' ? new PromptAborted() : error;
  }
}

export function createPrompts({ language, speak }: Localizer): Prompts {
  /** Adapts `check` to inquirer: returns true, or the error message. */
  const validate =
    ({ check, wanted }: AskedQuestion) =>
    async (text: string) => {
      try {
        await check(text);
        return true;
      } catch (error) {
        if (!isKashboxError(error)) throw error;
        return language === 'en' ? `${error.message}. ${error.hint}` : speak(wanted);
      }
    };
  return {
    async ask(question) {
      const { message, initial } = question;
      const shown = { message: speak(message), ...(initial === undefined ? {} : { default: initial }) };
      const input = { type: 'input', name: 'text', validate: validate(question), ...shown } as const;
      return (await answered(prompt<{ text: string }>([input]))).text.trim();
    },
    async choose(message, choices) {
      const named = choices.map(({ value, name }) => ({ value, name: speak(name) }));
      const list = { type: 'select', name: 'chosen', message: speak(message), choices: named } as const;
      const { chosen } = await answered(prompt<{ chosen: string }>([list]));
      const choice = choices.find(({ value }) => value === chosen);
      if (choice === undefined) throw new TypeError(`${chosen} was not among the choices`);
      return choice.value;
    },
    async confirmed(message, usual = true) {
      const asked = { type: 'confirm', name: 'yes', message: speak(message), default: usual } as const;
      return (await answered(prompt<{ yes: boolean }>([asked]))).yes;
    },
  };
}
