/** `sms add` says what a text that was typed in counts as: that it is stored says nothing of it. */
import test from 'ava';
import { openCli } from '../helpers/programs/cli.js';
import { BKASH, bkash } from '../helpers/shop/sms.js';

test('sms add says what the text counts as, and why it counts as nothing', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  const add = async (sender: string, text: string, ...more: string[]) => {
    const place = ['--merchant', 'Alo', '--recipient', '01711000001', '--received-at', '2026-08-13 16:03'];
    return kashbox('sms', 'add', ...place, '--sender', sender, '--text', text, ...more);
  };
  t.is(
    (await add(BKASH, bkash({ amount: 'Tk 660.00' }))).stdout,
    'Stored. It counts as: bKash, money received from a customer, 660.00, DHD7KQ2P0Z.\n',
  );
  t.regex(
    (await add(BKASH, bkash({ amount: 'Tk 660.00' }))).stdout,
    /^This SMS was already stored\. It counts as: bKash, /,
  );
  t.is(
    (await add(BKASH, bkash({ amount: 'Tk 660.00', tail: '. Please hurry' }))).stdout,
    'Stored. It needs manual review: bKash, money received from a customer, 660.00, DHD7KQ2P0Z. Something ' +
      'stands before or after the message that the wallet does not usually add.\n',
  );
  t.is(
    (await add('Shop', 'You have received Tk 500.00 …')).stdout,
    'Stored. It counts as nothing. The sender is none of the wallets.\n',
  );
  t.regex(
    (await add('+8801711000062', bkash({}))).stdout,
    /^Stored\. It does not count as money: bKash, a forgery: it imitates a wallet text\. It looks like a wallet text /,
  );
  t.regex(
    (await add(BKASH, 'You have received Tk 500.00 …')).stdout,
    /^Stored\. It does not count as money: bKash, nothing that is known\. Parts are missing: /,
  );
  const json = await add(BKASH, bkash({ id: 'DHD7KQ2P1A' }), '--json');
  t.like(json.json<object>(), {
    state: 'stored',
    settled: [],
    reading: { channel: 'mfs_a', settle: 'auto', amount: '50.00', trx_id: 'DHD7KQ2P1A' },
  });
});
