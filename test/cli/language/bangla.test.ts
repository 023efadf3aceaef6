/** That every sentence which can be told in another language is there in Bangla, with the same values. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'ava';
import ts from 'typescript-classic';
import { listed, msg, translate, translationKey } from '../../../src/base/values/msg.js';
import { BANGLA } from '../../../src/cli/language/bangla.js';
import { root } from '../../helpers/programs/processes.js';

/** Sentences of which only values are to be told. */
const BARE = /^(\{\d+\}|[\s:,;().])*$/;

function* sentencesIn(text: string): Generator<string> {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isTaggedTemplateExpression(node) && node.tag.getText() === 'msg') {
      const { template } = node;
      found.push(
        ts.isNoSubstitutionTemplateLiteral(template)
          ? template.text
          : translationKey([
              template.head.text,
              ...template.templateSpans.map(({ literal }) => literal.text),
            ]),
      );
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile('one.ts', text, ts.ScriptTarget.Latest, true));
  yield* found;
}

function sentences(): Set<string> {
  const files = ['src', 'commands'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
      join(root, folder, name),
    ),
  );
  const texts = files.filter((file) => file.endsWith('.ts')).map((file) => readFileSync(file, 'utf8'));
  return new Set(texts.flatMap((text) => [...sentencesIn(text)]).filter((key) => !BARE.test(key)));
}

const placesOf = (text: string) => [...new Set(text.match(/\{\d+\}/g) ?? [])].sort();

test('each sentence is in the table once, with the same values as in English', (t) => {
  const said = sentences();
  t.true(said.size > 100);
  t.deepEqual(
    [...said].filter((key) => !Object.hasOwn(BANGLA, key)),
    [],
    'they are not in src/cli/language',
  );
  t.deepEqual(
    Object.keys(BANGLA).filter((key) => !said.has(key)),
    [],
    'nothing says them',
  );
  for (const [key, text] of Object.entries(BANGLA)) {
    t.deepEqual(placesOf(text), placesOf(key), key);
    t.regex(text, /\p{Script=Bengali}/u, key);
  }
});

test('each language has its own order of values, and values may be sentences', (t) => {
  const table = { 'the last one is of {1}, {2}': '{2} শেষটি, {1}', '{1} MiB free': 'খালি {1} MiB' };
  const text = msg`the last one is of ${'Monday'}, ${msg`${3} MiB free`}`;
  t.is(translate(text), 'the last one is of Monday, 3 MiB free');
  t.is(translate(text, table), 'খালি 3 MiB শেষটি, Monday');
  t.is(translate(msg`unknown to ${'it'}`, table), 'unknown to it');
  t.is(translate(listed(['a', msg`${1} MiB free`]), table), 'a, খালি 1 MiB');
  t.is(translate('a name', table), 'a name');
  t.is(translate(msg`a value with ${'{1} in it'}`), 'a value with {1} in it');
});
