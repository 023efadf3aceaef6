/** A slip is known by its first bytes, all of them. */
import test from 'ava';
import { MAX_SLIP_BYTES, SLIP_ENDING, slipType } from '../../../src/domain/reviews/slip.js';

const heads = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'application/pdf': [...Buffer.from('%PDF-')],
} as const;

for (const [type, head] of Object.entries(heads)) {
  test(`${type} is recognised by its ${head.length} first bytes, and by no other first bytes`, (t) => {
    t.is(slipType(Buffer.from([...head])) as string | null, type);
    t.is(slipType(Buffer.from([...head, 1, 2, 3])) as string | null, type);
    t.is(slipType(Buffer.from(head.slice(0, -1))), null);
    t.is(slipType(Buffer.from([0, ...head])), null);
    for (const at of head.keys()) {
      const wrong = head.map((byte, index) => (index === at ? byte ^ 1 : byte));
      t.is(slipType(Buffer.from(wrong)), null, String(at));
    }
  });
}

test('a slip has at most 2 MiB, and an ending by what it is', (t) => {
  t.is(slipType(Buffer.alloc(0)), null);
  t.is(MAX_SLIP_BYTES, 2_097_152);
  t.deepEqual(SLIP_ENDING, { 'image/png': 'png', 'image/jpeg': 'jpg', 'application/pdf': 'pdf' });
});
