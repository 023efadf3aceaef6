/**
 * Stands where test files import AVA while mutants are tried: keeps what they declare, so that single tests
 * can be run many times in one process. The tests themselves are AVA's own, with its assertions.
 */
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ava = join(dirname(createRequire(import.meta.url).resolve('ava')), '..', 'lib');
const part = async (name) => (await import(pathToFileURL(join(ava, name)))).default;
const [Test, ContextRef] = [await part('test.js'), await part('context-ref.js')];

let declared = [];
let firsts = [];

/** @returns {Promise<object[]>} what a test file declares: titles, and `run` for AVA's result */
export async function testsOf(url) {
  [declared, firsts] = [[], []];
  await import(url);
  return declared;
}

function declare(title, implementation, ...args) {
  const before = firsts;
  const options = { metadata: {}, failWithoutAssertions: true, notifyTimeoutUpdate: () => {} };
  const run = async () => {
    const contextRef = new ContextRef();
    for (const first of before.splice(0)) await first();
    return new Test({ ...options, title, contextRef, fn: (t) => implementation(t, ...args) }).run();
  };
  declared.push({ title, run });
}

const after = () => {};
after.always = after;
export default Object.assign(declare, {
  serial: declare,
  before: (first) => firsts.push(first),
  after,
  macro: (implementation) => implementation,
});
