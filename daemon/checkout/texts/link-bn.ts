/** Payment links in Bangla: their page, and the payments that they have opened. */
import type { LINK_EN, PlayedTexts } from './link-en.js';

const CONTACT = 'এর জন্য টাকা পাঠাবেন না। পেমেন্ট করতে চাইলে বিক্রেতার সঙ্গে যোগাযোগ করুন।';

export const LINK_BN: typeof LINK_EN = {
  amount: 'টাকার পরিমাণ',
  amountHint: (least, most) => `${least} থেকে ${most} পর্যন্ত।`,
  optional: (label) => `${label} (ঐচ্ছিক)`,
  go: (amount) => (amount === null ? 'পেমেন্ট করুন' : `${amount} পেমেন্ট করুন`),
  problem: 'নিচে চিহ্নিত জায়গা ঠিক করুন',
  amountFaults: {
    empty: () => 'কত টাকা দিতে চান, লিখুন।',
    unreadable: () => 'পরিমাণটি শুধু সংখ্যায় লিখুন, যেমন ৫০০ বা ৫০০.৫০।',
    too_many_decimals: () => 'দশমিকের পরে সর্বোচ্চ দুই ঘর লিখুন।',
    too_low: (least) => `পরিমাণ কমপক্ষে ${least} হতে হবে।`,
    too_high: (_least, most) => `পরিমাণ সর্বোচ্চ ${most} হতে পারে।`,
  },
  suggested: (amounts) => `যেমন ${amounts}।`,
  quantity: 'সংখ্যা',
  quantityHint: (most, each) => `১ থেকে ${most}টি, প্রতিটি ${each}।`,
  less: 'একটি কমান',
  more: 'একটি বাড়ান',
  total: 'মোট',
  each: 'একটির দাম',
  quantityFaults: {
    unreadable: () => 'সংখ্যাটি শুধু অঙ্কে লিখুন, যেমন ২।',
    out_of_range: (most) => `১ থেকে ${most}-এর মধ্যে একটি সংখ্যা লিখুন।`,
  },
  valueFaults: {
    empty: 'এটি পূরণ করুন।',
    too_long: 'লেখাটি অনেক বড়: সর্বোচ্চ ২০০ অক্ষর দিন।',
    control: 'লেখাটিতে অদৃশ্য একটি চিহ্ন আছে। এক লাইনে আবার লিখুন।',
  },
  closed: {
    DISABLED: { title: 'লিংকটি বন্ধ', text: `বিক্রেতা এই লিংক বন্ধ করেছেন। ${CONTACT}` },
    ENDED: { title: 'লিংকটির সময় শেষ হয়ে গেছে', text: `এতে আর পেমেন্ট নেওয়া হয় না। ${CONTACT}` },
    PAID: { title: 'এই লিংকের পেমেন্ট হয়ে গেছে', text: `এতে আর পেমেন্ট নেওয়া হয় না। ${CONTACT}` },
    SUSPENDED: {
      title: 'এখানে এখন পেমেন্ট নেওয়া যাচ্ছে না',
      text: 'দয়া করে টাকা পাঠাবেন না। বিক্রেতার সঙ্গে যোগাযোগ করুন।',
    },
  },
  thanks: (brand) => ({
    title: 'ধন্যবাদ! আপনার টাকা পৌঁছেছে',
    text: `পেমেন্ট সম্পন্ন হয়েছে। পেমেন্ট নম্বরটি রেখে দিন: এটি দিয়ে ${brand} আপনার পেমেন্ট খুঁজে পাবেন।`,
  }),
  cancelled: {
    title: 'পেমেন্টটি বাতিল করা হয়েছে',
    text: 'এর জন্য টাকা পাঠাবেন না। পেমেন্ট করতে চাইলে লিংকটি আবার খুলুন।',
  },
  expired: {
    title: 'পেমেন্টের সময় শেষ হয়ে গেছে',
    text: 'এর জন্য টাকা পাঠাবেন না। পেমেন্ট করতে চাইলে লিংকটি আবার খুলুন।',
  },
  again: 'লিংকটি আবার খুলুন',
};

export const PLAYED_BN: PlayedTexts = {
  band: 'টেস্ট: আসল টাকা নয়',
  title: 'টেস্ট।',
  text: (wallet) =>
    `এই নম্বরগুলোতে টাকা পাঠাবেন না। নিচের বোতামে চাপলে ${wallet}-এর হয়ে দোকানে একটি পেমেন্টের এসএমএস পাঠানো হবে।`,
  label: 'কী ধরনের পেমেন্ট আসবে',
  choices: {
    exact: 'সঠিক পরিমাণ',
    less: 'কম টাকা',
    more: 'বেশি টাকা',
    other_type: 'অন্যভাবে পাঠানো টাকা',
    old: 'অনেক আগের পেমেন্ট',
  },
  button: (wallet) => `${wallet} দিয়ে পেমেন্ট (টেস্ট)`,
};
