/** Amounts as banks write them: read to the paisa, or not at all. */
import test from 'ava';
import fc from 'fast-check';
import { parsePush } from '../../../src/channels/qr-interbank/push-body.js';
import { CANONICAL_MAP } from '../../../src/channels/qr-interbank/push-map.js';

const json = (body: string, by = CANONICAL_MAP) =>
  parsePush({ bytes: Buffer.from(body), contentType: 'application/json' }, by);
const paid = { reference: 'RRN602612345678', status: 'SUCCESS' };

const amounts: readonly (readonly [string, 'taka' | 'paisa', number | null])[] = [
  ['500', 'taka', 50_000],
  ['500.5', 'taka', 50_050],
  ['500.50', 'taka', 50_050],
  ['500.500000', 'taka', 50_050],
  ['0.01', 'taka', 1],
  ['0', 'taka', null],
  ['0.00', 'taka', null],
  ['500.005', 'taka', null],
  ['-5', 'taka', null],
  ['+5', 'taka', null],
  ['5e2', 'taka', null],
  ['0x10', 'taka', null],
  ['1,250.50', 'taka', 125_050],
  ['1,500', 'taka', 150_000],
  ['1,500.00', 'taka', 150_000],
  ['1,00,000', 'taka', 10_000_000],
  ['12,34,567.89', 'taka', 123_456_789],
  ['1,234,567.8', 'taka', 123_456_780],
  ['1,5', 'taka', null],
  ['1,50', 'taka', null],
  ['1,5000', 'taka', null],
  ['1,500,00', 'taka', null],
  ['1.500,00', 'taka', null],
  ['0,500', 'taka', null],
  [',500', 'taka', null],
  ['1,500,', 'taka', null],
  ['1500,000', 'taka', null],
  ['1 250', 'taka', null],
  ['1.250.50', 'taka', null],
  ['.50', 'taka', null],
  ['৫০০', 'taka', null],
  ['99999999999999999999', 'taka', null],
  ['', 'taka', null],
  ['BDT 500', 'taka', null],
  ['50050', 'paisa', 50_050],
  ['50050.00', 'paisa', 50_050],
  ['7', 'paisa', 7],
  ['050', 'paisa', 50],
  ['50,050', 'paisa', 50_050],
  ['50,05', 'paisa', null],
  ['50050.5', 'paisa', null],
  ['-1', 'paisa', null],
  ['0', 'paisa', null],
];

test('an amount is read to the paisa or not at all', (t) => {
  for (const [text, unit, paisa] of amounts) {
    const read = json(JSON.stringify({ ...paid, amount: text }), { ...CANONICAL_MAP, amount_unit: unit });
    t.is(read.outcome === 'paid' ? read.amountPaisa : null, paisa, `${text} ${unit}`);
    if (paisa === null)
      t.deepEqual(read, { outcome: 'unreadable', faults: [`amount has no amount in ${unit}`] });
  }
});

test('every amount of paisa survives both units', (t) => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 100_000_000 }), (paisa) => {
      const taka = `${Math.floor(paisa / 100)}.${String(paisa % 100).padStart(2, '0')}`;
      t.like(json(`{"reference":"R","amount":${taka},"status":"SUCCESS"}`), { amountPaisa: paisa });
      const inPaisa = { ...CANONICAL_MAP, amount_unit: 'paisa' } as const;
      t.like(json(`{"reference":"R","amount":${paisa},"status":"SUCCESS"}`, inPaisa), { amountPaisa: paisa });
    }),
  );
});
