/**
 * Bodies under wrong types, and forms that write a path in their own way: found all the same, or
 * refused whole.
 */
import test from 'ava';
import { FORM, form, map, read } from './pushed.js';

const nestedMap = map({ reference: 'txn.id', amount: 'txn.items.0.sum', payer: 'payer' });
const nestedRead = { outcome: 'paid', amountPaisa: 500, fields: { reference: 'R1', payer: '017****5678' } };

test('a body that looks like JSON is JSON, whatever its content type', (t) => {
  const body = '{"txn":{"id":"R1","items":[{"sum":"5.00"}]},"payer":"017****5678"}';
  for (const type of [FORM, `${FORM}; charset=utf-8`, 'text/plain', 'application/json', 'multipart/x', '']) {
    for (const spelt of [body, ` \n${body}`, `\uFEFF${body}`])
      t.like(read(spelt, type, nestedMap), nestedRead, type);
  }
  t.like(form('{"txn":', nestedMap), { outcome: 'unreadable', faults: ['the body is no json'] });
  t.like(form('['.repeat(60_000), nestedMap), { outcome: 'unreadable', faults: ['the body is no json'] });
});

test('a field of a form is found by its path, whether it is written with dots or with brackets', (t) => {
  for (const body of [
    'txn.id=R1&txn.items.0.sum=5.00&payer=017****5678',
    'txn[id]=R1&txn[items][0][sum]=5.00&payer=017****5678',
    'txn%5Bid%5D=R1&txn%5Bitems%5D%5B0%5D%5Bsum%5D=5.00&payer=017****5678',
  ]) {
    t.like(form(body, nestedMap), nestedRead, body);
  }
  const literal = map({ reference: 'txn[id]', amount: 'sum' });
  t.like(form('txn[id]=R1&sum=5', literal), { outcome: 'paid' }, 'a map that names the brackets');
});

test('of a field of a form that is written in two ways nobody knows which was meant', (t) => {
  t.like(form('txn.id=R1&txn[id]=R2&txn.items.0.sum=5', nestedMap), { faults: ['the body is no form'] });
  t.like(form('txn[id]=R1&txn[id]=R1&txn.items.0.sum=5', nestedMap), { faults: ['the body is no form'] });
});

test('a form ignores inherited properties and malformed bracket paths', (t) => {
  const odd = map({ reference: '__proto__.id', amount: 'constructor.name' });
  t.like(form('__proto__[id]=R1&constructor[name]=5', odd), { outcome: 'paid' }, 'names as any others');
  t.is(({} as { id?: string }).id, undefined);
  t.like(form('a=1', odd), { outcome: 'unreadable' });
  for (const name of ['txn[id', 'txn]id[', '[txn][id]', 'txn[]id', 'txn[[id]]', 'txn[id]x']) {
    t.like(form(`${name}=R1`, nestedMap), { outcome: 'unreadable' }, name);
  }
  t.like(form(`a${'[b]'.repeat(20_000)}=1`, nestedMap), { outcome: 'unreadable' });
});
