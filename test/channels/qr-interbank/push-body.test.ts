/** Pushes in the shapes of real acquirers, read by maps: exactly, or not at all. */
import test from 'ava';
import fc from 'fast-check';
import { parsePush } from '../../../src/channels/qr-interbank/push-body.js';
import { CANONICAL_MAP } from '../../../src/channels/qr-interbank/push-map.js';
import { form, json, map } from './pushed.js';

const canonical = {
  reference: 'RRN602612345678',
  amount: '1250.50',
  payer: '+880 1712-345678',
  paid_at: '2026-08-21T12:30:00+06:00',
  status: 'SUCCESS',
  bill: 'k7pm2xq4abcd',
  merchant: '1750000000000000012',
  currency: 'BDT',
};
const canonicalFields = {
  reference: 'RRN602612345678',
  payer: '01712345678',
  bill: 'K7PM2XQ4ABCD',
  merchant: '1750000000000000012',
  status: 'SUCCESS',
  paidAt: Date.UTC(2026, 7, 21, 6, 30),
};

test('a push with our own names needs no map', (t) => {
  const expected = { outcome: 'paid', fields: canonicalFields, amountPaisa: 125_050 } as const;
  t.deepEqual(json(canonical), expected);
  t.deepEqual(form(new URLSearchParams(canonical).toString()), expected);
});

test('a QRIS push of the DOKU shape is read: a form with a compact local time', (t) => {
  const doku = map({
    reference: 'REFERENCEID',
    amount: 'AMOUNT',
    payer: 'CUSTOMERPAN',
    paid_at: 'TXNDATE',
    time_format: 'YYYYMMDDHHmmss',
    time_zone: '+07:00',
    status: 'TXNSTATUS',
    success: ['S'],
    bill: 'INVOICE',
    merchant: 'MERCHANTPAN',
  });
  const body =
    'ACQUIRER=Bank+A&CUSTOMERPAN=9360001110000000015&INVOICE=INV-7&TRANSACTIONID=77&TERMINALID=A01' +
    '&AMOUNT=2000.00&TXNDATE=20260821123000&MERCHANTPAN=9360089900000001504&REFERENCEID=123456789012' +
    '&CUSTOMERNAME=Someone&TXNSTATUS=S&ISSUERNAME=Bank+B&WORDS=ab12';
  t.deepEqual(form(body, doku), {
    outcome: 'paid',
    fields: {
      reference: '123456789012',
      payer: '9360001110000000015',
      bill: 'INV-7',
      merchant: '9360089900000001504',
      status: 'S',
      paidAt: Date.UTC(2026, 7, 21, 5, 30),
    },
    amountPaisa: 200_000,
  });
  t.like(form(body.replace('TXNSTATUS=S', 'TXNSTATUS=F'), doku), { outcome: 'not_paid' });
});

test('a push of the Bill24 shape is read: numbers as JSON numbers, other money refused', (t) => {
  const bill24 = map({
    reference: 'bank_ref',
    amount: 'total_amount',
    paid_at: 'tran_date',
    time_format: 'YYYY-MM-DD HH:mm:ss',
    status: 'status',
    success: ['success'],
    bill: 'identity_code',
    currency: 'currency',
  });
  const body = {
    tran_id: 'T-1',
    tran_no: 7,
    payment_service_type: 'KHQR',
    tran_date: '2026-08-21 12:30:00',
    total_amount: 1250.5,
    currency: 'BDT',
    bank_code: 'B1',
    bank_name: 'Bank A',
    bank_ref: 'FT26233XYZ',
    identity_code: 'K7PM2XQ4ABCD',
    purpose_of_transaction: '',
    status: 'SUCCESS',
  };
  t.like(json(body, bill24), { outcome: 'paid', amountPaisa: 125_050 });
  t.like(json({ ...body, currency: 'USD' }, bill24), {
    outcome: 'unreadable',
    faults: ['currency is not BDT'],
  });
});

test('a push of the ABA shape is read, whose status 0 means that it was paid', (t) => {
  const aba = map({
    reference: 'tran_id',
    amount: 'amount',
    amount_unit: 'paisa',
    status: 'status',
    success: ['0'],
    bill: 'merchant_ref_no',
  });
  const body = { tran_id: 'ABA1', apv: 123456, status: '0', merchant_ref_no: 'K7PM2XQ4ABCD', amount: 125050 };
  t.like(json(body, aba), { outcome: 'paid', amountPaisa: 125_050 });
  t.like(json({ ...body, status: 0 }, aba), { outcome: 'paid' });
  t.like(json({ ...body, status: '1' }, aba), { outcome: 'not_paid' });
});

test('fields are found inside of objects and lists', (t) => {
  const nested = map({
    reference: 'data.items.0.ref',
    amount: 'data.items.0.amount',
    payer: 'data.payer.mobile',
  });
  const body = {
    event: 'payment',
    data: { items: [{ ref: 'R1', amount: '5.00' }], payer: { mobile: '017****5678' } },
  };
  t.like(json(body, nested), { outcome: 'paid', amountPaisa: 500, fields: { payer: '017****5678' } });
  t.like(json({ data: { items: [] } }, nested), { outcome: 'unreadable' });
});

test('does not round a long number, wherever it appears', (t) => {
  const body = '{"reference":219014596974616577,"amount":1000000.01,"status":"SUCCESS"}';
  t.like(json(body), {
    outcome: 'paid',
    amountPaisa: 100_000_001,
    fields: { reference: '219014596974616577' },
  });
});

test('only a status that is known to be a success is one', (t) => {
  for (const status of ['success', ' SUCCESS ', 'Success'])
    t.is(json({ ...canonical, status }).outcome, 'paid');
  for (const status of ['PENDING', 'SUCCESSFUL', 'FAILED', '', null, true, 1, {}, undefined]) {
    t.is(json({ ...canonical, status }).outcome, 'not_paid', String(status));
  }
  t.like(json({ ...canonical, status: 'PENDING', amount: 'soon' }), {
    outcome: 'not_paid',
    fields: { ...canonicalFields, status: 'PENDING' },
  });
});

test('a body without a reference is unreadable, because a repetition could not be recognised', (t) => {
  for (const reference of ['', '  ', null, {}, ['R'], 'R'.repeat(65), 'R\u0000', 'R\n1', 'রেফ', undefined]) {
    t.deepEqual(json({ ...canonical, reference }), {
      outcome: 'unreadable',
      faults: ['reference has no reference of a bank'],
    });
  }
  t.like(json({ ...canonical, reference: ' FT 26/233-A ' }), { fields: { reference: 'FT 26/233-A' } });
});

test('a body that is neither JSON nor a form, or repeats a field, is unreadable', (t) => {
  const said = (type: string) => ({ outcome: 'unreadable', faults: [`the body is no ${type}`] }) as const;
  for (const body of [
    '',
    '{',
    'null',
    '"text"',
    '5',
    '{"a":1}x',
    '[',
    '['.repeat(60_000),
    '{"amount":1,"amount":2}',
  ]) {
    t.deepEqual(json(body), said('json'), body.slice(0, 20));
  }
  t.deepEqual(
    parsePush({ bytes: Buffer.from([0xff, 0xfe, 0x7b]), contentType: 'application/json' }, CANONICAL_MAP),
    said('json'),
  );
  t.deepEqual(form('amount=1&amount=2&reference=R'), said('form'));
  t.deepEqual(form(''), said('form'));
});

test('inherited property names are not fields', (t) => {
  const odd = map({ reference: 'constructor.name', amount: '__proto__.amount' });
  t.like(json({ a: 1 }, odd), { outcome: 'unreadable' });
  t.like(json('{"__proto__":{"reference":"R","amount":"5","status":"SUCCESS"}}'), { outcome: 'unreadable' });
  t.is(({} as { reference?: string }).reference, undefined);
});

test('no body makes the reader throw', (t) => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), (body) => {
      t.is(typeof json(body).outcome, 'string');
      t.is(typeof form(body).outcome, 'string');
    }),
  );
});
