/** What `kashbox setup` asks and says, in Bangla, by its English. */
import type { Translations } from '../../base/values/say.js';

const QUESTIONS: Translations = {
  'Name of the shop:': 'দোকানের নাম:',
  'Write a name that no other shop here has.': 'একটি নাম লিখুন, যা এখানে অন্য কোনো দোকানের নেই।',
  'Mobile number that customers see (may stay empty):': 'গ্রাহক যে মোবাইল নম্বর দেখবে (খালি রাখা যায়):',
  'E-mail address that customers see (may stay empty):': 'গ্রাহক যে ই-মেইল দেখবে (খালি রাখা যায়):',
  'Write a whole address, such as shop@example.com.': 'পুরো ঠিকানা লিখুন, যেমন shop@example.com।',
  'Which program does the shop run?': 'দোকানের ওয়েবসাইট কোন প্রোগ্রামে চলে?',
  'My own, or I do not know yet': 'নিজের তৈরি, অথবা এখনো জানি না',
  'Which wallet takes the money?': 'কোন ওয়ালেটে টাকা আসবে?',
  'What kind of account is it?': 'কী ধরনের অ্যাকাউন্ট?',
  'personal: customers send money': 'personal: গ্রাহক সেন্ড মানি করে',
  'agent: customers cash out': 'agent: গ্রাহক ক্যাশ আউট করে',
  'payment: a merchant account': 'payment: মার্চেন্ট অ্যাকাউন্ট',
  'Its number:': 'নম্বর:',
  'Write the 11 digits of a mobile number, such as 01712345678.':
    '১১ সংখ্যার মোবাইল নম্বর লিখুন, যেমন 01712345678।',
  'Another wallet?': 'আরও ওয়ালেট আছে?',
  'Is the phone that gets the SMS at hand?': 'যে ফোনে SMS আসে, সেটি কি হাতের কাছে আছে?',
  'A name for the phone:': 'ফোনটির একটি নাম:',
  'Write a short name, such as counter-1.': 'ছোট একটি নাম লিখুন, যেমন counter-1।',
  'Number of SIM {1}:': 'SIM {1}-এর নম্বর:',
  'Where does the phone find the daemon of this machine?': 'ফোন কোন ঠিকানায় এই মেশিনের daemon পাবে?',
  'at another address': 'অন্য ঠিকানায়',
  'Its https address:': 'https ঠিকানা:',
  'Write it in full, such as https://192.168.0.5:8443': 'পুরোটা লিখুন, যেমন https://192.168.0.5:8443',
  'to which the daemon is bound': 'daemon এই ঠিকানায় চলে',
  'for phones in the same network, {1}': 'একই নেটওয়ার্কের ফোনের জন্য, {1}',
  'for this machine alone, to try it out': 'শুধু এই মেশিনের জন্য, পরীক্ষা করতে',
  'There is a shop already. What do you want?': 'একটি দোকান আগেই আছে। কী করতে চান?',
  'set up another shop': 'আরেকটি দোকান খুলব',
  'try {1}: its phone and a test payment': '{1} পরীক্ষা করব: ফোন আর একটি টেস্ট পেমেন্ট',
};

const SHOWN: Translations = {
  Merchant: 'মার্চেন্ট',
  'Merchant id': 'মার্চেন্ট আইডি',
  'Brand id': 'ব্র্যান্ড আইডি',
  Account: 'অ্যাকাউন্ট',
  'Brand Key': 'Brand Key (চাবি)',
  'Webhook secret': 'Webhook secret (চাবি)',
  "Key and secret are shown only now. Keep them on the shop's server, never in an app or page.":
    'এই দুটি চাবি শুধু এখনই দেখানো হচ্ছে। দোকানের সার্ভারে রাখুন, কোনো অ্যাপ বা পেজে কখনো নয়।',
  Device: 'ফোন',
  Id: 'আইডি',
  'Device key': 'Device key (চাবি)',
  'Gateway key': 'Gateway key (চাবি)',
  'Pairing code': 'পেয়ারিং কোড',
  '{1}  (works once, until {2})': '{1}  (একবার কাজ করে, {2} পর্যন্ত)',
  'Keys and code are shown only now. The phone gets its keys by pairing.':
    'চাবি ও কোড শুধু এখনই দেখানো হচ্ছে। পেয়ার করলে ফোন নিজেই চাবি পাবে।',
  'The code as a link, for a relay app that scans it:': 'কোডটি লিংক হিসেবে, যে রিলে অ্যাপ স্ক্যান করে তার জন্য:',
  'Where kashbox-relay is there already:': 'kashbox-relay আগে থেকে থাকলে:',
  'On an Android phone: install Termux, Termux:API and Termux:Boot from F-Droid,':
    'Android ফোনে: F-Droid থেকে Termux, Termux:API ও Termux:Boot ইনস্টল করুন,',
  'open Termux, paste the first line, wait until it is done, then paste the second:':
    'Termux খুলে প্রথম লাইনটি পেস্ট করুন, শেষ হলে দ্বিতীয়টি পেস্ট করুন:',
  'Note: {1}': 'মনে রাখুন: {1}',
  'Only programs on this machine find that address, and no phone does. Start the daemon with --host 0.0.0.0, and make a code with its address: {1}':
    'এই ঠিকানা শুধু এই মেশিনের প্রোগ্রাম খুঁজে পায়, কোনো ফোন নয়। daemon চালান --host 0.0.0.0 দিয়ে, আর সেই ঠিকানার কোড নিন: {1}',
  'The daemon has no certificate yet. If it makes one for itself at its first start, the phone needs a code that names it: {1}':
    'daemon-এর এখনো সার্টিফিকেট নেই। প্রথমবার চালু হয়ে নিজে তৈরি করলে ফোনের জন্য নতুন কোড লাগবে: {1}',
  'Note: pair the phone while the daemon runs. If the code has run out by then: {1}':
    'মনে রাখুন: daemon চলার সময় ফোন পেয়ার করুন। ততক্ষণে কোডের মেয়াদ শেষ হলে: {1}',
  'Next: {1}': 'এরপর: {1}',
  'Next, say where the money arrives: {1}': 'এরপর টাকা কোথায় আসে তা দিন: {1}',
  'Then: {1}': 'তারপর: {1}',
  'The unit is written: {1}. Copy it to kashbox.service, then: {2}':
    'ইউনিট ফাইল লেখা হয়েছে: {1}। kashbox.service নামে কপি করুন, তারপর: {2}',
};

const LIVE: Translations = {
  'The phone needs the daemon. How shall it run?': 'ফোনের জন্য daemon চালু থাকা দরকার। কীভাবে চলবে?',
  'as a service, which starts with this machine': 'সার্ভিস হিসেবে, মেশিন চালু হলেই চলবে',
  'now, until setup ends': 'এখন, setup শেষ হওয়া পর্যন্ত',
  'I start it in another terminal: {1}': 'আমি অন্য টার্মিনালে চালাব: {1}',
  'The service runs: {1}': 'সার্ভিস চলছে: {1}',
  'Waiting until the daemon answers. Press Enter to go on without it.':
    'daemon-এর উত্তরের অপেক্ষা। বাদ দিতে Enter চাপুন।',
  'Waiting until a phone calls: {1}.{2}': 'ফোন যুক্ত হওয়ার অপেক্ষা: {1}।{2}',
  ' Press Enter to go on without it.': ' বাদ দিতে Enter চাপুন।',
  ', battery {1}%': ', ব্যাটারি {1}%',
  'The phone {1} is online{2}.': 'ফোন {1} অনলাইন{2}।',
  'It says: {1}. Run kashbox-relay doctor on it.': 'ফোনটি জানাচ্ছে: {1}। ফোনে চালান: kashbox-relay doctor',
  'Make a test payment?': 'একটি টেস্ট পেমেন্ট করবেন?',
  'with Tk 10 that you send from another phone': 'অন্য ফোন থেকে আসল ১০ টাকা পাঠিয়ে',
  'played: an invented SMS, of which nothing stays in the books': 'বানানো SMS দিয়ে, হিসাবে কিছুই থাকবে না',
  'not now': 'এখন নয়',
  'Now pay exactly Tk {1} from another phone, to one of these:': 'এখন অন্য ফোন থেকে ঠিক {1} টাকা এর একটিতে পাঠান:',
  'Waiting for its SMS.{1}': 'SMS-এর অপেক্ষা।{1}',
  'An SMS came that does not pay it:{1} kashbox sms show {2}':
    'একটি SMS এসেছে, কিন্তু এই পেমেন্টের নয়:{1} kashbox sms show {2}',
  'No such SMS came. To see why: kashbox doctor': 'এমন SMS আসেনি। কারণ দেখতে: kashbox doctor',
  'Paid: Tk {1} with {2}. Payment {3} is COMPLETED.': 'পরিশোধ হয়েছে: {1} টাকা, {2}। পেমেন্ট {3} এখন COMPLETED।',
  'The SMS {1} came, but a person must decide: kashbox verifications list':
    'SMS {1} এসেছে, কিন্তু একজনকে দেখে সিদ্ধান্ত নিতে হবে: kashbox verifications list',
  'ok    {1}: an SMS of Tk {2} ({3}) completes a payment.': 'ঠিক   {1}: {2} টাকার SMS ({3}) পেমেন্ট সম্পূর্ণ করে।',
  'FAIL  {1}: no phone has this SIM, so its SMS cannot arrive. Next: kashbox devices enroll':
    'সমস্যা {1}: কোনো ফোনে এই SIM নেই, তাই SMS আসবে না। এরপর: kashbox devices enroll',
  'FAIL  {1}: a payment would not be completed: {2}': 'সমস্যা {1}: পেমেন্ট সম্পূর্ণ হতো না: {2}',
  'You left. The shop stays as it is; to try it later: {1}':
    'আপনি বেরিয়ে গেছেন। দোকান যেমন আছে তেমনই থাকবে; পরে পরীক্ষা করতে: {1}',
};

export const SETUP_BN: Translations = { ...QUESTIONS, ...SHOWN, ...LIVE };
