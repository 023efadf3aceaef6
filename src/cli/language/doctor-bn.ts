/** What `kashbox doctor` says, in Bangla, by its English. Commands and settings stay as they are typed. */
import type { Translations } from '../../base/values/say.js';

const HOME_AND_STORE: Translations = {
  '{1} is not there yet': '{1} এখনো নেই',
  'It is made by the first command: kashbox setup': 'প্রথম কমান্ডেই তৈরি হবে: kashbox setup',
  '{1} cannot be read or written': '{1} পড়া বা লেখা যাচ্ছে না',
  'Run as the user who owns it.': 'ফোল্ডারটি যে ইউজারের, সেই ইউজার হয়ে চালান।',
  '{1} is open to other users of this machine': 'এই মেশিনের অন্য ইউজাররাও {1} খুলতে পারে',
  '{1} can be changed by other users of this machine': 'এই মেশিনের অন্য ইউজাররাও {1} বদলাতে পারে',
  'only its owner can read it': 'শুধু মালিক পড়তে পারে',
  '{1} can be read by other users of this machine': 'এই মেশিনের অন্য ইউজাররাও {1} পড়তে পারে',
  '{1} can be read by other users: names, numbers and SMS of customers':
    'অন্য ইউজাররাও {1} পড়তে পারে: গ্রাহকের নাম, নম্বর ও SMS',
  'As their owner: chmod 600 {1}': 'মালিক হয়ে চালান: chmod 600 {1}',
  '{1} MiB free': '{1} MiB খালি আছে',
  'Free some space: without it no payment can be written.': 'জায়গা খালি করুন: জায়গা না থাকলে কোনো পেমেন্ট লেখা যায় না।',
  'the store takes writes': 'ডেটা লেখা যাচ্ছে',
  'SQLite with a write-ahead log: what is answered is on the disk':
    'SQLite, আগে লগে লেখা হয়: যার উত্তর দেওয়া হয়েছে, তা ডিস্কে আছে',
  'SQLite runs with journal_mode={1}': 'SQLite চলছে journal_mode={1} দিয়ে',
  'Keep the store on a local disk, not on a network folder.':
    'ডেটা নিজের মেশিনের ডিস্কে রাখুন, নেটওয়ার্ক ফোল্ডারে নয়।',
  'the file is whole': 'ফাইলটি অক্ষত',
  'the file is damaged: {1}': 'ফাইলটি নষ্ট: {1}',
  'Stop the daemon and put back a backup.': 'daemon বন্ধ করে ব্যাকআপ ফিরিয়ে আনুন।',
  'PostgreSQL {1} at {2}, commits are durable': '{2}-এ PostgreSQL {1}, লেখা স্থায়ী',
  'PostgreSQL {1} at {2} runs with {3}: a power cut loses payments':
    '{2}-এ PostgreSQL {1} চলছে {3} দিয়ে: বিদ্যুৎ গেলে পেমেন্ট হারাবে',
  'Switch these settings on in postgresql.conf.': 'postgresql.conf-এ এই সেটিংগুলো চালু করুন।',
  'version {1}': 'সংস্করণ {1}',
  'version {1}, this Kashbox has {2}': 'সংস্করণ {1}, এই Kashbox-এর সংস্করণ {2}',
  'Run one Kashbox version only.': 'Kashbox-এর একটিমাত্র সংস্করণ চালান।',
  '{1} Bangladesh time': 'বাংলাদেশ সময় {1}',
  ', but the store has rows of {1}': ', কিন্তু ডেটায় {1} সময়ের সারি আছে',
  'it says {1}{2}': 'ঘড়ি বলছে {1}{2}',
  'Set the clock, and let NTP keep it: timedatectl set-ntp true':
    'ঘড়ি ঠিক করুন, আর NTP দিয়ে ঠিক রাখুন: timedatectl set-ntp true',
  'that of this store, fingerprint {1}': 'এই ডেটারই চাবি, ফিঙ্গারপ্রিন্ট {1}',
  'agrees with that of this machine': 'এই মেশিনের ঘড়ির সঙ্গে মেলে',
  'the clock of this machine is {1} s ahead of that of the server':
    'এই মেশিনের ঘড়ি সার্ভারের ঘড়ির চেয়ে {1} সেকেন্ড এগিয়ে',
  'the clock of this machine is {1} s behind that of the server':
    'এই মেশিনের ঘড়ি সার্ভারের ঘড়ির চেয়ে {1} সেকেন্ড পিছিয়ে',
  'Let NTP keep the clocks of both, and of every machine with a daemon: timedatectl set-ntp true':
    'দুটিরই, আর daemon আছে এমন সব মেশিনের ঘড়ি NTP দিয়ে ঠিক রাখুন: timedatectl set-ntp true',
  'this database user cannot see whether standbys are connected':
    'এই ডেটাবেস ইউজার দেখতে পায় না কোনো standby যুক্ত আছে কি না',
  '1 standby is connected': '১টি standby যুক্ত',
  '{1} standbys are connected': '{1}টি standby যুক্ত',
  '{1}, commits wait for {2}': '{1}, লেখা {2}-এর জন্য অপেক্ষা করে',
  'synchronous_standby_names is empty': 'synchronous_standby_names খালি',
  'synchronous_commit is local': 'synchronous_commit-এর মান local',
  '{1}, but {2}: a failover now would lose acknowledged payments':
    '{1}, কিন্তু {2}: এখন failover হলে নিশ্চিত করা পেমেন্ট হারাবে',
  "On the primary: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)', synchronous_commit on, and reload it. Under Patroni: synchronous_mode: true; after a switchover wait a moment.":
    "মূল সার্ভারে: ALTER SYSTEM SET synchronous_standby_names = 'ANY 1 (*)', synchronous_commit on, তারপর reload। Patroni থাকলে: synchronous_mode: true; switchover-এর পরে একটু অপেক্ষা করুন।",
  'no standby is connected: payments are on this server alone':
    'কোনো standby যুক্ত নেই: পেমেন্ট শুধু এই সার্ভারেই আছে',
  'Start a standby. If this server is meant to be alone, drop its replication slots, and name no other in KASHBOX_DATABASE_URL.':
    'একটি standby চালু করুন। এই সার্ভার একাই থাকার কথা হলে এর replication slot মুছুন, আর KASHBOX_DATABASE_URL-এ অন্য কোনো সার্ভার লিখবেন না।',
};

const CERTIFICATE_AND_BACKUP: Translations = {
  'Correct KASHBOX_TLS_CERT and KASHBOX_TLS_KEY.': 'KASHBOX_TLS_CERT ও KASHBOX_TLS_KEY ঠিক করুন।',
  '{1} is not there, so the daemon does not start': '{1} নেই, তাই daemon চালু হবে না',
  'a key without its certificate': 'সার্টিফিকেট ছাড়া শুধু চাবি',
  'a certificate without its key': 'চাবি ছাড়া শুধু সার্টিফিকেট',
  'the settings name {1}': 'সেটিংয়ে আছে {1}',
  'Set both KASHBOX_TLS_CERT and KASHBOX_TLS_KEY, or neither.':
    'KASHBOX_TLS_CERT ও KASHBOX_TLS_KEY দুটোই দিন, নয়তো একটিও না।',
  'Give two PEM files that belong together; the key not encrypted.':
    'একই জোড়ার দুটি PEM ফাইল দিন; চাবিটি যেন এনক্রিপ্ট করা না থাকে।',
  'Put {1} back from a backup. If it is lost: mv {2} {3}.old, then start the daemon, which makes a new one, and pair every phone again.':
    'ব্যাকআপ থেকে {1} ফিরিয়ে আনুন। হারিয়ে গেলে: mv {2} {3}.old, তারপর daemon চালান, নতুন তৈরি হবে; এরপর সব ফোন আবার পেয়ার করুন।',
  'the daemon makes a self-signed one at its first start': 'daemon প্রথমবার চালু হওয়ার সময় নিজেই তৈরি করবে',
  '1 phone has': '১টি ফোন',
  '{1} phones have': '{1}টি ফোন',
  'there is none, and {1} called before: those that have pinned it do not talk to a new one':
    'সার্টিফিকেট নেই, অথচ {1} আগে যুক্ত হয়েছিল: পুরোনোটি যারা চেনে তারা নতুনটির সঙ্গে কথা বলবে না',
  'If the daemon had made it, put {1} back from a backup before you start the daemon.':
    'daemon নিজে তৈরি করে থাকলে, daemon চালানোর আগে ব্যাকআপ থেকে {1} ফিরিয়ে আনুন।',
  '{1} is no certificate': '{1} কোনো সার্টিফিকেট নয়',
  '{1} is not the key of {2}': '{1} চাবিটি {2}-এর নয়',
  '{1} is no key that can be read': '{1} পড়া যায় এমন চাবি নয়',
  'the daemon takes the one that the store keeps for all daemons at its first start':
    'store-এ সব daemon-এর জন্য যেটি রাখা আছে, daemon প্রথমবার চালু হওয়ার সময় সেটিই নেবে',
  'mv {1} {2}.old, then start the daemon: it takes the certificate that the store keeps for all daemons.':
    'mv {1} {2}.old, তারপর daemon চালান: store-এ সব daemon-এর জন্য যে সার্টিফিকেট রাখা আছে সেটিই নেবে।',
  'self-signed, and not the one that the store keeps for all daemons: phones that have pinned it cannot call another daemon':
    'নিজের তৈরি, কিন্তু store-এ সব daemon-এর জন্য যেটি রাখা আছে সেটি নয়: এটি যেসব ফোন চেনে তারা অন্য daemon-এর সঙ্গে কথা বলতে পারবে না',
  'To share that one: stop the daemon, mv {1} {2}.old, start the daemon, and pair the phones of this machine again.':
    'সেটি ব্যবহার করতে: daemon থামান, mv {1} {2}.old চালান, daemon চালান, তারপর এই মেশিনের ফোনগুলো আবার পেয়ার করুন।',
  'self-signed, ': 'নিজের তৈরি, ',
  '{1}valid until {2}': '{1}মেয়াদ {2} পর্যন্ত',
  '{1}expired, was valid until {2}': '{1}মেয়াদ শেষ, ছিল {2} পর্যন্ত',
  'Renew it; a running daemon takes the new files on SIGHUP.':
    'নতুন করুন; চলমান daemon SIGHUP পেলে নতুন ফাইল নেয়।',
  'Make one: kashbox backup {1}, and move it to another machine. KASHBOX_BACKUP_FOLDER makes one every night.':
    'ব্যাকআপ নিন: kashbox backup {1}, তারপর অন্য মেশিনে সরিয়ে রাখুন। KASHBOX_BACKUP_FOLDER দিলে প্রতি রাতে হবে।',
  'none was made since this store began or was restored': 'ডেটা তৈরি বা ফিরিয়ে আনার পর থেকে একটিও নেওয়া হয়নি',
  'the last one is of {1}, {2}': 'শেষবার {1}, {2}',
  'Make it, mount its disk, or give it to the user of the daemon.':
    'ফোল্ডারটি তৈরি করুন, ডিস্ক যুক্ত করুন, অথবা daemon-এর ইউজারকে দিন।',
  '{1} is not there, or cannot be written': '{1} নেই, অথবা লেখা যায় না',
  ' and {1} more': ' এবং আরও {1}টি',
  'the key file does not open those of {1}{2}, so their shops are not notified':
    '{1}{2}-এর গোপন চাবি এই key file দিয়ে খোলে না, তাই দোকান খবর পায় না',
  'Put the secret.key of this store back, from a backup; else give each a new secret: kashbox webhooks rotate.':
    'ব্যাকআপ থেকে এই ডেটার secret.key ফিরিয়ে আনুন; না পারলে প্রত্যেককে নতুন secret দিন: kashbox webhooks rotate।',
};

const JOBS_AND_ALERTS: Translations = {
  '{1} files of your own': 'আপনার নিজের {1}টি ফাইল',
  'The daemon reads SMS without it. Repair it, or move it out of {1}; then restart the daemon and run kashbox sms reparse.':
    'daemon এটি ছাড়াই SMS পড়ে। ফাইলটি ঠিক করুন, অথবা {1} থেকে সরান; তারপর daemon আবার চালু করে kashbox sms reparse চালান।',
  'no daemon has run here yet': 'এখানে এখনো daemon চলেনি',
  'all {1} run, the last at {2}': '{1}টি কাজই চলছে, শেষবার {2}',
  '{1} has never run': '{1} কখনো চলেনি',
  '{1} last ran at {2}': '{1} শেষ চলেছে {2}',
  '{1}: that is in the future, so the clock was set back': '{1}: এটি ভবিষ্যতের সময়, অর্থাৎ ঘড়ি পেছানো হয়েছে',
  'Is the daemon running? Start it with kashbox daemon; if it runs, its log says why.':
    'daemon চলছে কি? চালান: kashbox daemon; চললে কারণ তার লগে আছে।',
  'Let NTP keep the clock: timedatectl set-ntp true. A daemon that runs does them again within a minute.':
    'NTP দিয়ে ঘড়ি ঠিক রাখুন: timedatectl set-ntp true। daemon চললে এক মিনিটের মধ্যে আবার করবে।',
  'its last run failed, at {1}: {2}': 'শেষবার ব্যর্থ হয়েছে {1}: {2}',
  'It is tried again by itself; the log of the daemon says more.':
    'নিজে থেকেই আবার চেষ্টা হবে; daemon-এর লগে বিস্তারিত আছে।',
  '{1} due for more than a minute and not sent': '{1}টি এক মিনিটের বেশি আগে পাঠানোর কথা, পাঠানো হয়নি',
  'Is the daemon running? Start it with kashbox daemon; if it runs: kashbox webhooks list --state DUE.':
    'daemon চলছে কি? চালান: kashbox daemon; চললে দেখুন: kashbox webhooks list --state DUE।',
  'it answers 410, which says that it is gone for good; it is tried to the end all the same':
    'উত্তর 410, অর্থাৎ ঠিকানাটি আর নেই; তবু শেষ পর্যন্ত চেষ্টা হবে',
  'Ask the shop for its new address: kashbox brands update --webhook-url.':
    'দোকানের নতুন ঠিকানা জেনে দিন: kashbox brands update --webhook-url।',
  '; at last: {1}': '; সবশেষে: {1}',
  '{1} given up in {2} days{3}': '{2} দিনে {1}টির চেষ্টা ছেড়ে দেওয়া হয়েছে{3}',
  'Such an address is never called: give a public https one (kashbox brands update --webhook-url).':
    'এমন ঠিকানায় কখনো পাঠানো হয় না: ইন্টারনেটের https ঠিকানা দিন (kashbox brands update --webhook-url)।',
  'See kashbox webhooks list --state DEAD, and mend the address or the shop.':
    'দেখুন kashbox webhooks list --state DEAD, তারপর ঠিকানা বা দোকানের সাইট ঠিক করুন।',
  '{1} Then: kashbox webhooks replay --failed --since {2}d':
    '{1} তারপর: kashbox webhooks replay --failed --since {2}d',
  'no alert target is set; add one: kashbox alerts add': 'সতর্কবার্তা কোথায় যাবে বলা হয়নি; দিন: kashbox alerts add',
  '{1} given up in {2} days; at last: {3}': '{2} দিনে {1}টির চেষ্টা ছেড়ে দেওয়া হয়েছে; সবশেষে: {3}',
  'Mend it, then: kashbox alerts test {1}': 'ঠিক করুন, তারপর: kashbox alerts test {1}',
  '{1} due for more than a minute and not told': '{1}টি এক মিনিটের বেশি আগে জানানোর কথা, জানানো হয়নি',
  'Is the daemon running? Start it with kashbox daemon.': 'daemon চলছে কি? চালান: kashbox daemon।',
  'nobody is told of payments that wait for a person': 'যে পেমেন্ট মানুষের সিদ্ধান্তের অপেক্ষায়, তা কাউকে জানানো হয় না',
  'Tell it somewhere: kashbox alerts update {1} --events default':
    'কোথাও জানান: kashbox alerts update {1} --events default',
  'at one place': '১ জায়গায়',
  'at {1} places': '{1} জায়গায়',
  'told {1}': 'জানানো হয় {1}',
};

export const DOCTOR_BN: Translations = { ...HOME_AND_STORE, ...CERTIFICATE_AND_BACKUP, ...JOBS_AND_ALERTS };
