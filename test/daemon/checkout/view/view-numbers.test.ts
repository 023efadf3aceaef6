/** Money and times as the page writes them. */
import test from 'ava';
import { formatTakaLocalized, formatTime, formatTimeLeft } from '../../../../daemon/checkout/figures.js';
import { renderCheckout } from '../../../../daemon/checkout/view.js';
import { cardOf, pageOf, TEXTS } from './view-pages.js';

const { bn, en } = TEXTS;

test('money is grouped in lakhs and crores and keeps its two decimals', (t) => {
  const written: [paisa: number, text: string][] = [
    [1, '৳ 0.01'],
    [100, '৳ 1.00'],
    [99_999, '৳ 999.99'],
    [100_000, '৳ 1,000.00'],
    [9_999_950, '৳ 99,999.50'],
    [10_000_000, '৳ 1,00,000.00'],
    [100_000_000, '৳ 10,00,000.00'],
    [123_456_789_012, '৳ 1,23,45,67,890.12'],
  ];
  for (const [paisa, text] of written) t.is(formatTakaLocalized(en, paisa), text);
  t.is(formatTakaLocalized(bn, 123_456_789), '৳ ১২,৩৪,৫৬৭.৮৯');
});

/** A time of 21 August 2026 in Bangladesh. */
const at = (hour: number, minute: number) => Date.UTC(2026, 7, 21, hour - 6, minute);

test('a time is Bangladesh time on a 12-hour clock, in Bangla with the part of the day', (t) => {
  const times: [hour: number, minute: number, bangla: string, english: string][] = [
    [0, 5, 'রাত ১২:০৫', '12:05 am'],
    [3, 59, 'রাত ৩:৫৯', '3:59 am'],
    [4, 0, 'ভোর ৪:০০', '4:00 am'],
    [6, 0, 'সকাল ৬:০০', '6:00 am'],
    [11, 59, 'সকাল ১১:৫৯', '11:59 am'],
    [12, 0, 'দুপুর ১২:০০', '12:00 pm'],
    [14, 35, 'দুপুর ২:৩৫', '2:35 pm'],
    [15, 0, 'বিকাল ৩:০০', '3:00 pm'],
    [18, 30, 'সন্ধ্যা ৬:৩০', '6:30 pm'],
    [23, 0, 'রাত ১১:০০', '11:00 pm'],
  ];
  for (const [hour, minute, bangla, english] of times) {
    t.is(formatTime(bn, at(hour, minute), at(9, 0)), bangla);
    t.is(formatTime(en, at(hour, minute), at(9, 0)), english);
  }
});

test('a time of another day says which', (t) => {
  t.is(formatTime(bn, at(24, 20), at(23, 40)), '২২ আগস্ট, রাত ১২:২০');
  t.is(formatTime(en, at(24, 20), at(23, 40)), '22 Aug, 12:20 am');
});

test('the time left is said in whole hours and minutes, never less than a minute', (t) => {
  const left = (minutes: number) => formatTimeLeft(en, minutes * 60_000, 0);
  t.deepEqual([0, 0.5, 1.9, 59, 60, 61, 1500].map(left), [
    '1 min',
    '1 min',
    '1 min',
    '59 min',
    '1 h',
    '1 h 1 min',
    '25 h',
  ]);
  t.is(formatTimeLeft(bn, 125 * 60_000, 0), '২ ঘণ্টা ৫ মিনিট');
});

test('in Bangla amounts and times are in Bengali digits; what is typed into another app is not', (t) => {
  const html = renderCheckout(pageOf('open'));
  t.true(html.includes('<strong>৳ ১,২৩,৪৫৬.৫০</strong>'));
  t.true(html.includes('দুপুর ২:২৯ পর্যন্ত সময় আছে'));
  t.true(html.includes('>সময় বাকি ১৭ মিনিট</span>'));
  const card = cardOf(html, 'mfs_a');
  t.true(card.includes('<b class="id nowrap">01711<i>000001</i></b>'));
  t.true(card.includes('<b class="id nowrap">৳ ১,২৩,৪৬৫.৭৫</b><button type="button" data-copy="123465.75">'));
});
