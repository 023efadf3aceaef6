/** What `kashbox doctor` says of shops, phones and what lies outside, in Bangla, by its English. */
import type { Translations } from '../../base/values/say.js';

const SHOPS: Translations = {
  'there are none yet': 'এখনো একটিও নেই',
  'Open the first one: kashbox setup': 'প্রথমটি খুলুন: kashbox setup',
  '{1}, of them {2} suspended': '{1}টি, এর মধ্যে {2}টি স্থগিত',
  'all are suspended ({1}), so no shop takes payments':
    'সবগুলো স্থগিত ({1}টি), তাই কোনো দোকান পেমেন্ট নিতে পারছে না',
  'Let one take payments again: kashbox merchants activate NAME':
    'একটিকে আবার চালু করুন: kashbox merchants activate NAME',
  'there are none, so no SMS can arrive': 'একটিও নেই, তাই কোনো SMS আসবে না',
  'Make one known: kashbox devices enroll': 'ফোন যোগ করুন: kashbox devices enroll',
  'it has never been seen': 'কখনো যুক্ত হয়নি',
  'last seen {1} ago': 'শেষ দেখা গেছে {1} আগে',
  'online, but it says: {1}': 'অনলাইন, কিন্তু জানাচ্ছে: {1}',
  'Run `kashbox-relay doctor` on it.': 'ফোনে চালান: `kashbox-relay doctor`',
  'Correct the template of the app: docs/forwarders.md.': 'অ্যাপের টেমপ্লেট ঠিক করুন: docs/forwarders.md।',
  'online, {1} SMS wait on it': 'অনলাইন, ফোনে {1}টি SMS অপেক্ষায়',
  'Give it a better network, and look again.': 'ভালো নেটওয়ার্কে রাখুন, তারপর আবার দেখুন।',
  online: 'অনলাইন',
  'a simulator: it sends no SMS': 'এটি সিমুলেটর: কোনো SMS পাঠায় না',
  'Pair a real phone under that name: kashbox devices rotate.':
    'এই নামে আসল ফোন পেয়ার করুন: kashbox devices rotate।',
  '{1}, and it said: {2}': '{1}, জানিয়েছিল: {2}',
  'Look at the phone: power, network, battery saver off, relay app running.':
    'ফোনটি দেখুন: চার্জ, নেটওয়ার্ক, ব্যাটারি সেভার বন্ধ, রিলে অ্যাপ চালু আছে কি না।',
  '{1} SMS of the last 24 hours do not say which SIM received them: their payments go to review':
    'গত ২৪ ঘণ্টার {1}টি SMS কোন SIM-এ এসেছে জানা যায়নি: সেগুলোর পেমেন্ট মানুষকে দেখতে হবে',
  'In Termux: `kashbox-relay doctor` on the phone tells how to name its SIMs. Other programs: send sim_slot.':
    'Termux হলে ফোনে `kashbox-relay doctor` বলে দেবে SIM কীভাবে চেনাতে হয়। অন্য প্রোগ্রাম হলে sim_slot পাঠান।',
  'there are none, so nobody can pay': 'একটিও নেই, তাই কেউ টাকা দিতে পারবে না',
  'Set the first one: kashbox accounts set': 'প্রথমটি দিন: kashbox accounts set',
  '{1} of wallets, each with its SIM in a phone; {2} others':
    '{1}টি ওয়ালেট, প্রতিটির SIM কোনো ফোনে আছে; অন্যান্য {2}টি',
  '{1} is paid there, but no phone has that SIM': '{1} এই নম্বরে টাকা পায়, কিন্তু কোনো ফোনে এই SIM নেই',
  'Enroll the phone with --sim 1={1}, or disable the account.':
    'ফোনটি --sim 1={1} দিয়ে যোগ করুন, অথবা অ্যাকাউন্টটি বন্ধ করুন।',
  '{1} both say that they are paid there on {2}: their payments go to review where both claim one':
    '{1} দুজনেই বলে {2}-এ এই নম্বরে টাকা পায়: একই টাকা দুজনে দাবি করলে মানুষকে দেখতে হবে',
  'Disable the account of the one who is not: kashbox accounts disable {1}':
    'যার নয় তার অ্যাকাউন্ট বন্ধ করুন: kashbox accounts disable {1}',
  'it is notified by form, but verify answers it in the dialect standard: some programs in PHP take that for paid when nothing is':
    'খবর যায় form আকারে, কিন্তু verify উত্তর দেয় standard রীতিতে: PHP-র কিছু প্রোগ্রাম এতে টাকা না এলেও পরিশোধিত ধরে',
  'Answer it flat, or name its program by --plugin: kashbox brands update {1} --dialect flat':
    'flat রীতিতে উত্তর দিন, অথবা --plugin দিয়ে প্রোগ্রামের নাম বলুন: kashbox brands update {1} --dialect flat',
  '{1} has reached {2} on {3}, and within 60 days its ids leave what is forecast':
    '{1}-এর আইডি {3} তারিখে {2} পর্যন্ত এসেছে, ৬০ দিনের মধ্যে তা পূর্বাভাসের বাইরে চলে যাবে',
  'Update Kashbox before that. Else SMS go to review until you have approved the first: kashbox verifications list':
    'তার আগেই Kashbox আপডেট করুন। না করলে প্রথমটি অনুমোদন না করা পর্যন্ত SMS-গুলো মানুষকে দেখতে হবে: kashbox verifications list',
};

const OUTSIDE: Translations = {
  'USDT is not offered, because nobody has said what it costs': 'USDT দেখানো হয় না, কারণ এর দাম বলা হয়নি',
  'Say how many taka one USDT costs: kashbox rates set 120.50':
    '১ USDT কত টাকা, বলে দিন: kashbox rates set 120.50',
  'Remove it and add it again: kashbox nodes remove, nodes add.':
    'সরিয়ে আবার যোগ করুন: kashbox nodes remove, nodes add।',
  'chain {1}, block {2}, {3} ms{4}': 'চেইন {1}, ব্লক {2}, {3} ms{4}',
  '{1}; takes one question at a time': '{1}; একবারে একটি প্রশ্ন নেয়',
  'Add it anew with --no-batch.': '--no-batch দিয়ে নতুন করে যোগ করুন।',
  'It can never confirm a payment here: kashbox nodes remove {1}':
    'এটি এখানে কোনো পেমেন্ট নিশ্চিত করতে পারবে না: kashbox nodes remove {1}',
  'If it lasts, give another one a smaller priority: kashbox nodes add, kashbox nodes check.':
    'সমস্যা থাকলে অন্য একটিকে ছোট priority দিন: kashbox nodes add, kashbox nodes check।',
  'Set it again with new credentials: kashbox accounts set --brand "{1}" --channel exchange_pay --type {2} --number {3}':
    'নতুন API key দিয়ে আবার দিন: kashbox accounts set --brand "{1}" --channel exchange_pay --type {2} --number {3}',
  'answers and takes its key; what else that may do, its API does not tell{1}':
    'উত্তর দেয়, চাবিও নেয়; চাবিটি আর কী পারে তা API বলে না{1}',
  'its key may do more than read: {1}': 'চাবিটি পড়ার চেয়ে বেশি পারে: {1}',
  'Make a key at the exchange that may read only, and set it.':
    'এক্সচেঞ্জে শুধু পড়তে পারে এমন চাবি বানিয়ে সেটি দিন।',
  'answers, its key may read only{1}': 'উত্তর দেয়, চাবিটি শুধু পড়তে পারে{1}',
  "Set this machine's clock, by the network best.": 'এই মেশিনের ঘড়ি ঠিক করুন, নেটওয়ার্ক দিয়ে করলে ভালো।',
  'Wait; if it comes back, other programs use the same exchange account too often.':
    'অপেক্ষা করুন; আবার হলে অন্য প্রোগ্রাম একই এক্সচেঞ্জ অ্যাকাউন্ট খুব বেশি ব্যবহার করছে।',
  'If it lasts, see whether the exchange itself is up, and whether this machine reaches it.':
    'সমস্যা থাকলে দেখুন এক্সচেঞ্জ চালু কি না, আর এই মেশিন থেকে পৌঁছানো যায় কি না।',
  'what is sealed of it cannot be opened with this secret.key': 'এর গোপন তথ্য এই secret.key দিয়ে খোলে না',
  '; {1} calls, none failed': '; {1}টি কল, একটিও ব্যর্থ নয়',
  ', last at {1}': ', শেষবার {1}',
  '; of {1} calls {2} failed ({3}{4})': '; {1}টি কলের {2}টি ব্যর্থ ({3}{4})',
  'An amount is held while its payment is open and an hour longer: let payments live shorter (kashbox brands update --session-minutes 30), or give each brand an address of its own (kashbox accounts set --channel bep20).':
    'পেমেন্ট খোলা থাকা পর্যন্ত এবং আরও এক ঘণ্টা তার পরিমাণ আটকে থাকে: পেমেন্টের সময় কমান (kashbox brands update --session-minutes 30), অথবা প্রতি ব্র্যান্ডকে আলাদা ঠিকানা দিন (kashbox accounts set --channel bep20)।',
  '{1} of the {2} amounts from {3} USDT on are held': '{3} USDT থেকে {2}টি পরিমাণের {1}টি আটকে আছে',
  'once all are, new payments of that price are not offered bep20':
    'সব আটকে গেলে ওই দামের নতুন পেমেন্টে bep20 দেখানো হবে না',
};

export const SHOPS_BN: Translations = { ...SHOPS, ...OUTSIDE };
