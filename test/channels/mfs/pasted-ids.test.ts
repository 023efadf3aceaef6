/** Ids as people paste them: quotes, brackets, other digits, labels and whole SMS change nothing. */
import test from 'ava';
import { channelModule } from '../../../src/channels/index.js';
import type { MfsChannel } from '../../../src/domain/accounts/channels.js';
import { idInPasted } from '../../../src/domain/matching/reference.js';
import { ofEachWallet } from '../../../src/domain/wallets/index.js';
import { parseQuestion } from '../../../src/domain/why/question.js';

/** An id as people paste it, and the same id alone. */
const PASTED_FORMS = [
  (id: string) => id,
  (id: string) => id.toLowerCase(),
  (id: string) => `  ${id}\n`,
  (id: string) => `\u00a0${id}\u00a0`,
  (id: string) => `${id}.`,
  (id: string) => `${id},`,
  (id: string) => `(${id})`,
  (id: string) => `[${id}]`,
  (id: string) => `#${id}`,
  (id: string) => `"${id}"`,
  (id: string) => `‘${id}’`,
  (id: string) => `\u200b${id}\ufeff`,
  (id: string) => `\u202a${id}\u202c`,
  (id: string) => `\u2066${id}\u2069`,
  (id: string) => id.replace(/\d/g, (digit) => String.fromCharCode(0x09e6 + Number(digit))),
  (id: string) => id.replace(/./g, (char) => String.fromCharCode(char.charCodeAt(0) + 0xfee0)),
  (id: string) => `${id.slice(0, 4)} ${id.slice(4)}`,
  (id: string) => `TrxID: ${id}`,
  (id: string) => `Transaction ID number ${id}`,
  (id: string) => `Txn ID "${id}"`,
  (id: string) => `ট্রানজেকশন আইডি ${id}`,
  (id: string) =>
    `You have received Tk 500.00 from 01911000001. Fee Tk 0.00. Balance Tk 10,500.00. TrxID ${id} at 26/11/2026 18:00`,
];
const EXAMPLES = ofEachWallet(({ ids }) => ids.example);

for (const [channel, id] of Object.entries(EXAMPLES) as [MfsChannel, string][]) {
  test(`an id of ${channel} is the same in every form in which it is pasted, on every entrance`, (t) => {
    const { readReference, findReference } = channelModule(channel);
    for (const form of PASTED_FORMS) {
      const text = form(id);
      t.deepEqual(readReference(text), { outcome: 'id', reference: id }, text);
      t.deepEqual(findReference(text), { outcome: 'id', reference: id }, text);
      t.is(parseQuestion(text).reference, id, text);
      t.is(idInPasted(text)?.toUpperCase(), id, text);
    }
  });
}

test('rejects two ids, and letters that only look like an id', (t) => {
  const { readReference } = channelModule('mfs_a');
  for (const text of ['DHL7CD1EF2 DHL7CD1EF3', 'TrxID DHL7CD1EF2, TrxID DHL7CD1EF3']) {
    const read = readReference(text);
    t.is(read.outcome, 'invalid', text);
    t.regex(read.outcome === 'invalid' ? read.fault : '', /more than one/);
    t.is(idInPasted(text), null);
  }
  for (const text of ['DHL7CD1\u212aF2', 'DHL7CDıEF2', 'ſHL7CD1EF2', 'DНL7CD1EF2', "' OR 1=1--"]) {
    t.is(readReference(text).outcome, 'invalid', text);
    t.is(idInPasted(text), null, text);
  }
});

test('a number that paid is the same in every form in which it is pasted', (t) => {
  const forms = ['01711000001', '+8801711000001', '8801711000001', '01711-000001', '01711 000 001'];
  const others = [
    '০১৭১১০০০০০১',
    '\u202a01711000001\u202c',
    '(01711000001)',
    'bKash: 01711000001.',
    '"01711000001"',
  ];
  for (const text of [...forms, ...others]) {
    const read = channelModule('qr_interbank').readReference(text);
    t.deepEqual(read, { outcome: 'id', reference: '01711000001' }, text);
  }
  t.is(channelModule('qr_interbank').readReference('01711000001, 01711000002').outcome, 'invalid');
  t.deepEqual(channelModule('qr_interbank').readReference('#০০০১'), { outcome: 'id', reference: '0001' });
});
