/** Questions of setup about the accounts: the optional picture of the owner's Bangla QR. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import test from 'ava';
import QRCode from 'qrcode';
import { isKashboxError } from '../../../src/base/errors/errors.js';
import { translate } from '../../../src/base/values/msg.js';
import { type Prompts, promptShop } from '../../../src/cli/setup/wizard.js';
import { personalPayload, printedPayload } from '../../helpers/shop/qr.js';
import { temporaryFolder } from '../../helpers/stores/engines.js';

const NUMBER = '01712345678';
const CODE = /Bangla QR/;

/** Answers each question: by its words the given texts one after the other, else with the first choice. */
function answering(answers: readonly (readonly [question: RegExp, ...texts: string[]])[]) {
  const refused: string[] = [];
  const asked: string[] = [];
  const prompts: Prompts = {
    async ask({ message, check, initial = '' }) {
      const question = translate(message);
      asked.push(question);
      const [, ...texts] = answers.find(([words]) => words.test(question)) ?? [CODE, initial];
      for (const text of texts) {
        try {
          await check(text);
          return text.trim();
        } catch (error) {
          if (!isKashboxError(error)) throw error;
          refused.push(error.message);
        }
      }
      throw new Error(`no answer was good for ${question}`);
    },
    choose: async (message, choices) => {
      asked.push(translate(message));
      const agent = choices.find(({ value }) => value === 'agent');
      const isAgent = answers.some(([words]) => words.source === 'agent');
      const chosen = (isAgent ? agent : undefined) ?? choices[0];
      if (chosen === undefined) throw new Error('no choices');
      return chosen.value;
    },
    confirmed: async () => false,
  };
  return { prompts, refused, asked };
}

const plan = async (prompts: Prompts) => (await promptShop(prompts, async () => undefined, [])).plan.accounts;
const SHOP = [/Name of the shop/, 'Alo'] as const;

test('setup repeats the question for a picture until it shows the code of that account', async (t) => {
  const folder = await temporaryFolder(t);
  const picture = async (name: string, text: string) => {
    const file = join(folder, name);
    await writeFile(file, await QRCode.toBuffer(text, { scale: 4 }));
    return file;
  };
  const qr = personalPayload(NUMBER);
  const { prompts, refused } = answering([
    SHOP,
    [/Its number/, NUMBER],
    [
      CODE,
      join(folder, 'gone.png'),
      await picture('other.png', personalPayload('01812345678')),
      await picture('merchant.png', printedPayload),
      await picture('link.png', 'https://example.com'),
      ` ${await picture('own.png', qr)} `,
    ],
  ]);
  t.deepEqual(await plan(prompts), [{ channel: 'mfs_a', type: 'personal', number: NUMBER, qr }]);
  t.is(refused.length, 4);
  t.regex(
    refused.join('\n'),
    /gone\.png.* cannot be read\n.*not of 01712345678\n.*merchant's code.*\n.*no Bangla QR/,
  );
});

test('Enter continues without a code, and only a personal account has the question', async (t) => {
  const none = answering([SHOP, [/Its number/, NUMBER], [CODE, '']]);
  t.deepEqual(await plan(none.prompts), [
    { channel: 'mfs_a', type: 'personal', number: NUMBER, qr: undefined },
  ]);
  const agent = answering([SHOP, [/agent/], [/Its number/, NUMBER]]);
  t.deepEqual(await plan(agent.prompts), [{ channel: 'mfs_a', type: 'agent', number: NUMBER }]);
  t.true(none.asked.some((question) => CODE.test(question)));
  t.false(agent.asked.some((question) => CODE.test(question)));
});
