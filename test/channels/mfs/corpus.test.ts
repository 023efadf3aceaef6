/** The labelled collections of wallet texts: every line of them, in every field. */
import test from 'ava';
import {
  type CollectionLine,
  labelOf,
  readCollection,
  readingOf,
} from '../../helpers/shop/sms-collection.js';

for (const name of ['sms-corpus', 'sms-second-collection', 'sms-spellings']) {
  const { ours, others } = readCollection(name);

  for (const [index, line] of ours.entries()) {
    test(`${line.id} is ${line.settle} ${line.expect.kind}`, (t) => {
      t.deepEqual(readingOf(line, deliveredBefore(line, ours[index - 1])), labelOf(line));
    });
  }

  for (const line of others) {
    test(`${line.id} of ${line.channel} is taken for none of the four wallets`, (t) => {
      const reading = readingOf(line);
      t.is(reading.channel, null);
      t.is(reading.settle, 'never');
    });
  }
}

/** The first delivery stands before the second, but the first collection has only the second. */
function deliveredBefore(line: CollectionLine, before: CollectionLine | undefined): CollectionLine[] {
  if (line.tags?.includes('delivery_2') !== true) return [];
  return [line.id === 'd-dup-002' ? line : (before ?? line)];
}

test('the collections are there', (t) => {
  t.true(readCollection('sms-corpus').ours.length >= 300);
  t.true(readCollection('sms-corpus').others.length >= 30);
  t.true(readCollection('sms-second-collection').ours.length >= 1_200);
  t.true(readCollection('sms-spellings').ours.length >= 1_000);
});
