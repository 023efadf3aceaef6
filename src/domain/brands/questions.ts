/** Questions and answers that a brand shows on its pages, and the address of its video. */
import type { ParseResult } from '../../base/values/parse-result.js';
import { hasInvisible } from '../../base/values/text.js';

export interface PageQuestion {
  readonly question: string;
  readonly answer: string;
}

/** Maximum number of questions of a brand. */
export const MAX_QUESTIONS = 3;
const MAX_QUESTION = 120;
const MAX_ANSWER = 600;
const MAX_VIDEO = 300;

/** @param typed `QUESTION=ANSWER`; the first `=` ends the question. */
export function parseQuestion(typed: string): ParseResult<{ entry: PageQuestion }> {
  const end = typed.indexOf('=');
  const [question, answer] = [typed.slice(0, Math.max(end, 0)), typed.slice(end + 1)].map((text) =>
    text.trim().normalize('NFC'),
  ) as [string, string];
  if (question === '' || answer === '') return { ok: false, fault: 'needs both a question and an answer' };
  if (hasInvisible(question) || hasInvisible(answer)) {
    return { ok: false, fault: 'has a line break or an invisible character' };
  }
  for (const [text, place, most] of [
    [question, 'before', MAX_QUESTION],
    [answer, 'after', MAX_ANSWER],
  ] as const) {
    const length = [...text].length;
    if (length > most) {
      return { ok: false, fault: `may have at most ${most} characters ${place} "=", this has ${length}` };
    }
  }
  return { ok: true, entry: { question, answer } };
}

/** @param json text of `brands.questions`. */
export function parseQuestions(json: string): readonly PageQuestion[] {
  return JSON.parse(json) as readonly PageQuestion[];
}

/** A scheme, a host without a user name, and a path without spaces. */
const ADDRESS = /^https:\/\/[^/?#@\s\\]+(?:[/?#]\S*)?$/i;

/** @param typed `https://…`. @returns the address in its ASCII form. */
export function parseVideo(typed: string): ParseResult<{ url: string }> {
  const length = [...typed].length;
  if (length > MAX_VIDEO) {
    return { ok: false, fault: `may have at most ${MAX_VIDEO} characters, this has ${length}` };
  }
  if (ADDRESS.test(typed) && !hasInvisible(typed) && URL.canParse(typed)) {
    return { ok: true, url: new URL(typed).href };
  }
  return { ok: false, fault: 'must be an https address without a user name or password' };
}
