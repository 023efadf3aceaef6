/** The display at a counter, in Bangla. */
import type { DISPLAY_EN } from './display-en.js';

export const DISPLAY_BN: typeof DISPLAY_EN = {
  title: (brand) => `${brand}: কাউন্টার`,
  amount: 'টাকার পরিমাণ',
  show: 'কোড দেখান',
  erase: 'শেষ অঙ্কটি মুছুন',
  fullScreen: 'পুরো স্ক্রিন',
  mute: 'শব্দ বন্ধ',
  scan: 'যেকোনো ওয়ালেট বা ব্যাংকের অ্যাপ দিয়ে স্ক্যান করুন',
  codeOf: (amount) => `${amount}-এর বাংলা কিউআর কোড`,
  reference: 'রেফারেন্স',
  cancel: 'বাতিল',
  digits: 'নিশ্চিত হচ্ছে না? যে নম্বর থেকে টাকা দিয়েছেন, সেটি দিন',
  digitsGo: 'যাচাই করুন',
  looking: (number) => `${number} থেকে আসা টাকা খোঁজা হচ্ছে।`,
  noCode: {
    title: 'কোনো কিউআর কোড নেই',
    send: 'রেফারেন্সসহ সেন্ড মানি করুন:',
    text: 'দোকানের জন্য: বাংলা কিউআর সেট করলে এখানে সব অ্যাপের জন্য একটি কোড দেখা যাবে।',
  },
  paid: 'টাকা এসেছে',
  paidFrom: (end) => `•••${end} থেকে`,
  next: 'পরের গ্রাহক',
  review: {
    title: 'পেমেন্টটি দোকানকে মিলিয়ে দেখতে হবে',
    text: 'টাকা এসে থাকতে পারে। পণ্য দেওয়ার আগে দোকানের ফোনে বা প্রোগ্রামে দেখে নিন।',
  },
  expired: { title: 'সময় শেষ', text: 'কোনো টাকা আসেনি। পরিমাণটি আবার দেখান।' },
  cancelled: { title: 'বাতিল করা হয়েছে', text: 'কোনো টাকা আসেনি।' },
  noScript: 'JavaScript বন্ধ: পেজটি লাইভ নয়, শব্দও হবে না। প্রতি ৮ সেকেন্ডে একবার নতুন করে দেখা হয়।',
};
