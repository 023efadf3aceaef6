/** What the page says of a wallet's numbers, ids and charges, and to who has cancelled. */
import test from 'ava';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import { cardOf, PATH, pageOf, visible } from './view-pages.js';

test('a wallet’s number takes one service only, and what the wallet charges is said where it is known', (t) => {
  const card = (channel: 'mfs_a' | 'mfs_c', type: string, language: 'bn' | 'en') => {
    const accounts = [{ type, number: '01711000001', details: {} }];
    const methods = [{ channel, feePaisa: 0, totalPaisa: 50_050, accounts, usdt: null }];
    return visible(cardOf(renderCheckout(pageOf('open', { language }, { methods })), channel));
  };
  const payment = card('mfs_a', 'payment', 'en');
  t.true(payment.includes('merchant number “Payment” only 01711 000001'));
  t.true(payment.includes('Payments made with “Send Money” or “Cash Out” will not be recognised.'));
  t.true(payment.includes('No bKash fee.'));
  t.true(payment.includes('If the app asks for a counter number, enter 1.'));
  t.true(payment.includes('Confirm with your PIN in the bKash app.'));
  t.true(card('mfs_a', 'agent', 'bn').includes('এতে বিকাশ সর্বোচ্চ ১.৮৫% চার্জ নেয়।'));
  t.true(card('mfs_a', 'payment', 'bn').includes('সেন্ড মানি বা ক্যাশ আউট করলে পেমেন্ট শনাক্ত হবে না।'));
  t.notRegex(card('mfs_a', 'personal', 'en'), /fee/);
  t.notRegex(card('mfs_c', 'personal', 'en'), /fee/);
});

test('the field calls the id what the wallet calls it', (t) => {
  const html = renderCheckout(pageOf('open', { language: 'en' }));
  const names = ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d'].map(
    (channel) => /<label[^>]*>[^<]*\((\w+)\)<\/label>/.exec(cardOf(html, channel))?.[1],
  );
  t.deepEqual(names, ['TrxID', 'TxnID', 'TxnId', 'TrxID']);
});

test('each wallet’s menu is one tap away, as its own number', (t) => {
  const html = renderCheckout(pageOf('open'));
  const dialled = [...html.matchAll(/<a class="nowrap" href="(.*?)">(.*?)<\/a> ডায়াল করুন/g)];
  t.deepEqual(
    dialled.map(([, href, shown]) => [href, shown]),
    [
      ['tel:*247%23', '*247#'],
      ['tel:*167%23', '*167#'],
      ['tel:*322%23', '*322#'],
      ['tel:*268%23', '*268#'],
    ],
  );
});

test('only where nothing but digits can be meant, telephones offer digits alone', (t) => {
  const html = renderCheckout(pageOf('open'));
  const keyboards = ['mfs_a', 'mfs_b', 'mfs_c', 'mfs_d', 'bank'].map((channel) =>
    /autocapitalize="(\w+)"(?: inputmode="(\w+)")?/.exec(cardOf(html, channel))?.slice(1),
  );
  const capitals = ['characters', undefined];
  t.deepEqual(keyboards, [capitals, capitals, ['none', 'numeric'], capitals, capitals]);
});

test('the QR code of a wallet precedes the PIN, and can be saved on the phone that shows it', (t) => {
  const accounts = [{ type: 'payment', number: '01711000001', details: { qr: 'payload' } }];
  const methods = [{ channel: 'mfs_a', feePaisa: 0, totalPaisa: 50_050, accounts, usdt: null }] as const;
  const card = cardOf(renderCheckout(pageOf('open', { language: 'en' }, { methods })), 'mfs_a');
  const picture = card.indexOf(`<img src="${PATH}/qr/mfs_a/payment"`);
  t.true(picture > 0 && picture < card.indexOf('Confirm with your PIN'));
  t.true(card.includes(`href="${PATH}/qr/mfs_a/payment.png" download>Save the picture</a>`));
});

test('a cancelled page does not ask for money: a plain link says that it was sent already', (t) => {
  const link = `href="${PATH}?late=1"`;
  t.true(renderCheckout(pageOf('cancelled')).includes(`<a ${link}`));
  t.true(renderCheckout(pageOf('expired')).includes(`<a class="button plain" ${link}`));
});

test('the other language is one link away and keeps the page', (t) => {
  t.true(renderCheckout(pageOf('open')).includes(`<a href="${PATH}?lang=en" lang="en"`));
  const late = renderCheckout(pageOf('expired', { language: 'en', isLate: true }));
  t.true(late.includes(`<a href="${PATH}?lang=bn&amp;late=1" lang="bn"`));
});
