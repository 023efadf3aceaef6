/** Asks a person, one question at a time, in their language. Prompts go to stderr. */
import inquirer from 'inquirer';
import { isKashboxError } from '../../base/errors/errors.js';
import type { Text } from '../../base/values/say.js';
import type { Speaker } from '../language/language.js';

/** The person has left with Ctrl-C. */
export class Left extends Error {}

export interface Question {
  readonly message: Text;
  /** Throws what is wrong with an answer. */
  readonly check: (text: string) => unknown;
  /** What a good answer is, for languages that errors do not speak. */
  readonly wanted: Text;
  readonly initial?: string;
}

export interface Choice<Value extends string> {
  readonly value: Value;
  readonly name: Text;
}

/** Each throws `Left`. */
export interface Prompts {
  /** Until the answer passes. @returns it without blanks around it. */
  ask(question: Question): Promise<string>;
  choose<Value extends string>(message: Text, choices: readonly Choice<Value>[]): Promise<Value>;
  /** @param usual what Enter alone answers; yes unless told otherwise. */
  confirmed(message: Text, usual?: boolean): Promise<boolean>;
}

const prompt = inquirer.createPromptModule({ output: process.stderr });

async function answered<Answers>(answers: Promise<Answers>): Promise<Answers> {
  try {
    return await answers;
  } catch (error) {
    throw error instanceof Error && error.name === 'ExitPromptError' ? new Left() : error;
  }
}

export function createPrompts({ language, speak }: Speaker): Prompts {
  /** What inquirer wants: true, or the sentence to show. */
  const validate =
    ({ check, wanted }: Question) =>
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
      const asked = { type: 'input', name: 'text', validate: validate(question), ...shown } as const;
      return (await answered(prompt<{ text: string }>([asked]))).text.trim();
    },
    async choose(message, choices) {
      const named = choices.map(({ value, name }) => ({ value, name: speak(name) }));
      const asked = { type: 'select', name: 'chosen', message: speak(message), choices: named } as const;
      const { chosen } = await answered(prompt<{ chosen: string }>([asked]));
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
