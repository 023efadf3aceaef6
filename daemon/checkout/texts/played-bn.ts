/** What the page of a test brand says of playing the wallets, in Bangla. */
import type { PlayedTexts } from './played-en.js';

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
    old: 'অনেক আগের টাকা',
  },
  button: (wallet) => `${wallet} দিয়ে পেমেন্ট (টেস্ট)`,
};
