/** Bangla translations of all localized texts, by their English text. A test fails if one is missing. */
import type { Translations } from '../../base/values/msg.js';

const HOME_AND_STORE: Translations = {
  '{1} does not exist yet': '{1} এখনো নেই',
  'The first command creates it: kashbox setup': 'প্রথম কমান্ডেই তৈরি হবে: kashbox setup',
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
  'Free some disk space: without it Kashbox cannot record payments.':
    'জায়গা খালি করুন: জায়গা না থাকলে কোনো পেমেন্ট লেখা যায় না।',
  'the store is writable': 'ডেটা লেখা যাচ্ছে',
  'SQLite in WAL mode, commits are durable': 'SQLite, আগে লগে লেখা হয়: যার উত্তর দেওয়া হয়েছে, তা ডিস্কে আছে',
  'SQLite runs with journal_mode={1}': 'SQLite চলছে journal_mode={1} দিয়ে',
  'Keep the store on a local disk, not on a network folder.':
    'ডেটা নিজের মেশিনের ডিস্কে রাখুন, নেটওয়ার্ক ফোল্ডারে নয়।',
  'check passed': 'ফাইলটি অক্ষত',
  'check failed: {1}': 'ফাইলটি নষ্ট: {1}',
  'Stop the daemon and restore a backup.': 'daemon বন্ধ করে ব্যাকআপ ফিরিয়ে আনুন।',
  'PostgreSQL {1} at {2}, commits are durable': '{2}-এ PostgreSQL {1}, লেখা স্থায়ী',
  'PostgreSQL {1} at {2} runs with {3}: a power cut loses payments':
    '{2}-এ PostgreSQL {1} চলছে {3} দিয়ে: বিদ্যুৎ গেলে পেমেন্ট হারাবে',
  'Turn these settings on in postgresql.conf.': 'postgresql.conf-এ এই সেটিংগুলো চালু করুন।',
  'version {1}': 'সংস্করণ {1}',
  'version {1}, this Kashbox has {2}': 'সংস্করণ {1}, এই Kashbox-এর সংস্করণ {2}',
  'Run one Kashbox version only.': 'Kashbox-এর একটিমাত্র সংস্করণ চালান।',
  '{1} Bangladesh time': 'বাংলাদেশ সময় {1}',
  ', but the store has rows dated {1}': ', কিন্তু ডেটায় {1} সময়ের সারি আছে',
  'this machine says {1}{2}': 'ঘড়ি বলছে {1}{2}',
  'Set the clock and enable NTP: timedatectl set-ntp true':
    'ঘড়ি ঠিক করুন, আর NTP দিয়ে ঠিক রাখুন: timedatectl set-ntp true',
  'matches this store, fingerprint {1}': 'এই ডেটারই চাবি, ফিঙ্গারপ্রিন্ট {1}',
  'matches the clock of this machine': 'এই মেশিনের ঘড়ির সঙ্গে মেলে',
  'the clock of this machine is {1} s ahead of the server':
    'এই মেশিনের ঘড়ি সার্ভারের ঘড়ির চেয়ে {1} সেকেন্ড এগিয়ে',
  'the clock of this machine is {1} s behind the server': 'এই মেশিনের ঘড়ি সার্ভারের ঘড়ির চেয়ে {1} সেকেন্ড পিছিয়ে',
  'Enable NTP on both, and on every machine with a daemon: timedatectl set-ntp true':
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
  'no standby is connected: this server has the only copy': 'কোনো standby যুক্ত নেই: পেমেন্ট শুধু এই সার্ভারেই আছে',
  'Start a standby. If there should be none, drop the replication slots and name only this server in KASHBOX_DATABASE_URL.':
    'একটি standby চালু করুন। এই সার্ভার একাই থাকার কথা হলে এর replication slot মুছুন, আর KASHBOX_DATABASE_URL-এ অন্য কোনো সার্ভার লিখবেন না।',
};

const CERTIFICATE_AND_BACKUP: Translations = {
  'Correct KASHBOX_TLS_CERT and KASHBOX_TLS_KEY.': 'KASHBOX_TLS_CERT ও KASHBOX_TLS_KEY ঠিক করুন।',
  '{1} does not exist, so the daemon does not start': '{1} নেই, তাই daemon চালু হবে না',
  'a key without its certificate': 'সার্টিফিকেট ছাড়া শুধু চাবি',
  'a certificate without its key': 'চাবি ছাড়া শুধু সার্টিফিকেট',
  'the settings name {1}': 'সেটিংয়ে আছে {1}',
  'Set both KASHBOX_TLS_CERT and KASHBOX_TLS_KEY, or neither.':
    'KASHBOX_TLS_CERT ও KASHBOX_TLS_KEY দুটোই দিন, নয়তো একটিও না।',
  'Use a matching pair of PEM files; the key must not be encrypted.':
    'একই জোড়ার দুটি PEM ফাইল দিন; চাবিটি যেন এনক্রিপ্ট করা না থাকে।',
  'Restore {1} from a backup. If it is lost: mv {2} {3}.old, start the daemon, which creates a new one, and pair every phone again.':
    'ব্যাকআপ থেকে {1} ফিরিয়ে আনুন। হারিয়ে গেলে: mv {2} {3}.old, তারপর daemon চালান, নতুন তৈরি হবে; এরপর সব ফোন আবার পেয়ার করুন।',
  'the daemon creates a self-signed one at its first start': 'daemon প্রথমবার চালু হওয়ার সময় নিজেই তৈরি করবে',
  '1 phone has': '১টি ফোন',
  '{1} phones have': '{1}টি ফোন',
  'no certificate, but {1} connected before: phones that pinned the old one do not accept a new one':
    'সার্টিফিকেট নেই, অথচ {1} আগে যুক্ত হয়েছিল: পুরোনোটি যারা চেনে তারা নতুনটির সঙ্গে কথা বলবে না',
  'If the daemon created it, restore {1} from a backup before you start the daemon.':
    'daemon নিজে তৈরি করে থাকলে, daemon চালানোর আগে ব্যাকআপ থেকে {1} ফিরিয়ে আনুন।',
  '{1} is not a certificate': '{1} কোনো সার্টিফিকেট নয়',
  '{1} is not the key of {2}': '{1} চাবিটি {2}-এর নয়',
  '{1} is not a readable key': '{1} পড়া যায় এমন চাবি নয়',
  'the daemon uses the certificate shared in the store':
    'store-এ সব daemon-এর জন্য যেটি রাখা আছে, daemon প্রথমবার চালু হওয়ার সময় সেটিই নেবে',
  'mv {1} {2}.old, then start the daemon: it uses the certificate shared in the store.':
    'mv {1} {2}.old, তারপর daemon চালান: store-এ সব daemon-এর জন্য যে সার্টিফিকেট রাখা আছে সেটিই নেবে।',
  'self-signed and not the one shared in the store: phones that pinned it cannot connect to another daemon':
    'নিজের তৈরি, কিন্তু store-এ সব daemon-এর জন্য যেটি রাখা আছে সেটি নয়: এটি যেসব ফোন চেনে তারা অন্য daemon-এর সঙ্গে কথা বলতে পারবে না',
  'To use the shared one: stop the daemon, mv {1} {2}.old, start the daemon, and pair the phones of this machine again.':
    'সেটি ব্যবহার করতে: daemon থামান, mv {1} {2}.old চালান, daemon চালান, তারপর এই মেশিনের ফোনগুলো আবার পেয়ার করুন।',
  'self-signed, ': 'নিজের তৈরি, ',
  '{1}valid until {2}': '{1}মেয়াদ {2} পর্যন্ত',
  '{1}expired, was valid until {2}': '{1}মেয়াদ শেষ, ছিল {2} পর্যন্ত',
  'Renew it; a running daemon loads the new files on SIGHUP.':
    'নতুন করুন; চলমান daemon SIGHUP পেলে নতুন ফাইল নেয়।',
  'Create one with kashbox backup {1} and move it to another machine. With KASHBOX_BACKUP_FOLDER the daemon creates one every night.':
    'ব্যাকআপ নিন: kashbox backup {1}, তারপর অন্য মেশিনে সরিয়ে রাখুন। KASHBOX_BACKUP_FOLDER দিলে প্রতি রাতে হবে।',
  'no backup since this store was created or restored': 'ডেটা তৈরি বা ফিরিয়ে আনার পর থেকে একটিও নেওয়া হয়নি',
  'last backup {1}, {2}': 'শেষবার {1}, {2}',
  "Create the folder, mount its disk, or make it writable for the daemon's user.":
    'ফোল্ডারটি তৈরি করুন, ডিস্ক যুক্ত করুন, অথবা daemon-এর ইউজারকে দিন।',
  '{1} does not exist or is not writable': '{1} নেই, অথবা লেখা যায় না',
  ' and {1} more': ' এবং আরও {1}টি',
  'secret.key cannot decrypt those of {1}{2}, so these shops are not notified':
    '{1}{2}-এর গোপন চাবি এই key file দিয়ে খোলে না, তাই দোকান খবর পায় না',
  'Restore the secret.key of this store from a backup; otherwise create new secrets: kashbox webhooks rotate.':
    'ব্যাকআপ থেকে এই ডেটার secret.key ফিরিয়ে আনুন; না পারলে প্রত্যেককে নতুন secret দিন: kashbox webhooks rotate।',
};

const JOBS_AND_ALERTS: Translations = {
  '{1} custom files': 'আপনার নিজের {1}টি ফাইল',
  'The daemon ignores this file. Correct it or move it out of {1}; then restart the daemon and run kashbox sms reparse.':
    'daemon এটি ছাড়াই SMS পড়ে। ফাইলটি ঠিক করুন, অথবা {1} থেকে সরান; তারপর daemon আবার চালু করে kashbox sms reparse চালান।',
  'no daemon has run yet': 'এখানে এখনো daemon চলেনি',
  'all {1} run, last at {2}': '{1}টি কাজই চলছে, শেষবার {2}',
  '{1} has never run': '{1} কখনো চলেনি',
  '{1} last ran at {2}': '{1} শেষ চলেছে {2}',
  '{1}: that is in the future, so the clock was set back': '{1}: এটি ভবিষ্যতের সময়, অর্থাৎ ঘড়ি পেছানো হয়েছে',
  'Is the daemon running? Start it with kashbox daemon; if it runs, its log says why.':
    'daemon চলছে কি? চালান: kashbox daemon; চললে কারণ তার লগে আছে।',
  'Enable NTP: timedatectl set-ntp true. A running daemon repeats the jobs within a minute.':
    'NTP দিয়ে ঘড়ি ঠিক রাখুন: timedatectl set-ntp true। daemon চললে এক মিনিটের মধ্যে আবার করবে।',
  'last run failed at {1}: {2}': 'শেষবার ব্যর্থ হয়েছে {1}: {2}',
  'The daemon retries automatically; see its log for details.':
    'নিজে থেকেই আবার চেষ্টা হবে; daemon-এর লগে বিস্তারিত আছে।',
  '{1} overdue by more than a minute': '{1}টি এক মিনিটের বেশি আগে পাঠানোর কথা, পাঠানো হয়নি',
  'Is the daemon running? Start it with kashbox daemon; if it runs: kashbox webhooks list --status PENDING.':
    'daemon চলছে কি? চালান: kashbox daemon; চললে দেখুন: kashbox webhooks list --status PENDING।',
  'it answers 410 Gone; Kashbox still makes all retries':
    'উত্তর 410, অর্থাৎ ঠিকানাটি আর নেই; তবু শেষ পর্যন্ত চেষ্টা হবে',
  'Ask the shop for its new address: kashbox brands update --webhook-url.':
    'দোকানের নতুন ঠিকানা জেনে দিন: kashbox brands update --webhook-url।',
  '; last error: {1}': '; সবশেষে: {1}',
  '{1} failed permanently in {2} days{3}': '{2} দিনে {1}টির চেষ্টা ছেড়ে দেওয়া হয়েছে{3}',
  'Kashbox never calls such an address: set a public https one (kashbox brands update --webhook-url).':
    'এমন ঠিকানায় কখনো পাঠানো হয় না: ইন্টারনেটের https ঠিকানা দিন (kashbox brands update --webhook-url)।',
  'See kashbox webhooks list --status FAILED, then correct the address or the shop.':
    'দেখুন kashbox webhooks list --status FAILED, তারপর ঠিকানা বা দোকানের সাইট ঠিক করুন।',
  '{1} Then: kashbox webhooks replay --failed --since {2}d':
    '{1} তারপর: kashbox webhooks replay --failed --since {2}d',
  'no alert target is set; add one: kashbox alert-targets create':
    'সতর্কবার্তা কোথায় যাবে বলা হয়নি; দিন: kashbox alert-targets create',
  '{1} failed permanently in {2} days; last error: {3}': '{2} দিনে {1}টির চেষ্টা ছেড়ে দেওয়া হয়েছে; সবশেষে: {3}',
  'Correct it, then: kashbox alert-targets test {1}': 'ঠিক করুন, তারপর: kashbox alert-targets test {1}',
  'Is the daemon running? Start it with kashbox daemon.': 'daemon চলছে কি? চালান: kashbox daemon।',
  'no target receives payments that need manual review': 'যে পেমেন্ট মানুষের সিদ্ধান্তের অপেক্ষায়, তা কাউকে জানানো হয় না',
  'Subscribe a target: kashbox alert-targets update {1} --events default':
    'কোথাও জানান: kashbox alert-targets update {1} --events default',
  'one target': '১ জায়গায়',
  '{1} targets': '{1} জায়গায়',
  'sent to {1}': 'জানানো হয় {1}',
};

const DOCTOR_BN: Translations = { ...HOME_AND_STORE, ...CERTIFICATE_AND_BACKUP, ...JOBS_AND_ALERTS };

const SHOPS: Translations = {
  'none yet': 'এখনো একটিও নেই',
  'Create the first one: kashbox setup': 'প্রথমটি খুলুন: kashbox setup',
  '{1}, {2} of them suspended': '{1}টি, এর মধ্যে {2}টি স্থগিত',
  'all are suspended ({1}), so no shop takes payments':
    'সবগুলো স্থগিত ({1}টি), তাই কোনো দোকান পেমেন্ট নিতে পারছে না',
  'Reactivate one: kashbox merchants activate NAME': 'একটিকে আবার চালু করুন: kashbox merchants activate NAME',
  'none, so no SMS can arrive': 'একটিও নেই, তাই কোনো SMS আসবে না',
  'Add one: kashbox devices enroll': 'ফোন যোগ করুন: kashbox devices enroll',
  'never seen': 'কখনো যুক্ত হয়নি',
  'last seen {1} ago': 'শেষ দেখা গেছে {1} আগে',
  'online, but reports: {1}': 'অনলাইন, কিন্তু জানাচ্ছে: {1}',
  'Run `kashbox-relay doctor` on it.': 'ফোনে চালান: `kashbox-relay doctor`',
  'Correct the template of the app: docs/forwarders.md.': 'অ্যাপের টেমপ্লেট ঠিক করুন: docs/forwarders.md।',
  'online, {1} SMS wait to be synced': 'অনলাইন, ফোনে {1}টি SMS অপেক্ষায়',
  'Check its network connection, then run doctor again.': 'ভালো নেটওয়ার্কে রাখুন, তারপর আবার দেখুন।',
  online: 'অনলাইন',
  'simulator: it sends no real SMS': 'এটি সিমুলেটর: কোনো SMS পাঠায় না',
  'Pair a real phone under that name: kashbox devices rotate.':
    'এই নামে আসল ফোন পেয়ার করুন: kashbox devices rotate।',
  '{1}, last reported: {2}': '{1}, জানিয়েছিল: {2}',
  'Check the phone: power, network, battery saver off, relay app running.':
    'ফোনটি দেখুন: চার্জ, নেটওয়ার্ক, ব্যাটারি সেভার বন্ধ, রিলে অ্যাপ চালু আছে কি না।',
  '{1} SMS of the last 24 hours do not name their SIM: their payments need manual review':
    'গত ২৪ ঘণ্টার {1}টি SMS কোন SIM-এ এসেছে জানা যায়নি: সেগুলোর পেমেন্ট মানুষকে দেখতে হবে',
  'In Termux: `kashbox-relay doctor` on the phone shows how to name its SIMs. Other programs: send sim_slot.':
    'Termux হলে ফোনে `kashbox-relay doctor` বলে দেবে SIM কীভাবে চেনাতে হয়। অন্য প্রোগ্রাম হলে sim_slot পাঠান।',
  'none, so no customer can pay': 'একটিও নেই, তাই কেউ টাকা দিতে পারবে না',
  'Add the first one: kashbox accounts set': 'প্রথমটি দিন: kashbox accounts set',
  '{1} wallet accounts, each with its SIM in a phone; {2} others':
    '{1}টি ওয়ালেট, প্রতিটির SIM কোনো ফোনে আছে; অন্যান্য {2}টি',
  '{1} receives money there, but no phone has that SIM': '{1} এই নম্বরে টাকা পায়, কিন্তু কোনো ফোনে এই SIM নেই',
  'Enroll the phone with --sim 1={1}, or disable the account.':
    'ফোনটি --sim 1={1} দিয়ে যোগ করুন, অথবা অ্যাকাউন্টটি বন্ধ করুন।',
  '{1} cannot use it: {2}': '{1} এটি ব্যবহার করতে পারছে না: {2}',
  'Set it again: kashbox accounts set --qr-image FILE, or disable the account: kashbox accounts disable {1}':
    'আবার দিন: kashbox accounts set --qr-image FILE, অথবা অ্যাকাউন্টটি বন্ধ করুন: kashbox accounts disable {1}',
  '{1} share this number on {2}: payments that both claim need manual review':
    '{1} দুজনেই বলে {2}-এ এই নম্বরে টাকা পায়: একই টাকা দুজনে দাবি করলে মানুষকে দেখতে হবে',
  'it received {1} BDT today, and its limit is {2}': 'আজ {1} টাকা এসেছে, আর এর সীমা {2} টাকা',
  'it received {1} BDT this month, and its limit is {2}': 'এই মাসে {1} টাকা এসেছে, আর এর সীমা {2} টাকা',
  'Set up a further number for {1}: kashbox accounts set --add':
    '{1}-এর জন্য আরেকটি নম্বর যোগ করুন: kashbox accounts set --add',
  'Disable the wrong one: kashbox accounts disable {1}':
    'যার নয় তার অ্যাকাউন্ট বন্ধ করুন: kashbox accounts disable {1}',
  'it receives form webhooks, but verify answers in the standard dialect: some PHP programs then treat unpaid orders as paid':
    'খবর যায় form আকারে, কিন্তু verify উত্তর দেয় standard রীতিতে: PHP-র কিছু প্রোগ্রাম এতে টাকা না এলেও পরিশোধিত ধরে',
  'Use the flat dialect, or name its program with --plugin: kashbox brands update {1} --dialect flat':
    'flat রীতিতে উত্তর দিন, অথবা --plugin দিয়ে প্রোগ্রামের নাম বলুন: kashbox brands update {1} --dialect flat',
  '{1} reached {2} on {3}; within 60 days its ids leave the known range':
    '{1}-এর আইডি {3} তারিখে {2} পর্যন্ত এসেছে, ৬০ দিনের মধ্যে তা পূর্বাভাসের বাইরে চলে যাবে',
  'Update Kashbox before then. Otherwise SMS need manual review until you approve the first: kashbox verifications list':
    'তার আগেই Kashbox আপডেট করুন। না করলে প্রথমটি অনুমোদন না করা পর্যন্ত SMS-গুলো মানুষকে দেখতে হবে: kashbox verifications list',
};

const OUTSIDE: Translations = {
  'USDT is not offered because no rate is set': 'USDT দেখানো হয় না, কারণ এর দাম বলা হয়নি',
  'Set the price of one USDT in taka: kashbox rates set 120.50':
    '১ USDT কত টাকা, বলে দিন: kashbox rates set 120.50',
  'Remove it and add it again: kashbox nodes remove, nodes add.':
    'সরিয়ে আবার যোগ করুন: kashbox nodes remove, nodes add।',
  'chain {1}, block {2}, {3} ms{4}': 'চেইন {1}, ব্লক {2}, {3} ms{4}',
  '{1}; accepts one request at a time': '{1}; একবারে একটি প্রশ্ন নেয়',
  'Remove it and add it again with --no-batch.': '--no-batch দিয়ে নতুন করে যোগ করুন।',
  'It can never confirm a payment here: kashbox nodes remove {1}':
    'এটি এখানে কোনো পেমেন্ট নিশ্চিত করতে পারবে না: kashbox nodes remove {1}',
  'If this continues, give another node a smaller priority: kashbox nodes add, kashbox nodes check.':
    'সমস্যা থাকলে অন্য একটিকে ছোট priority দিন: kashbox nodes add, kashbox nodes check।',
  'Set it again with new credentials: kashbox accounts set --brand "{1}" --channel exchange_pay --type {2} --number {3}':
    'নতুন API key দিয়ে আবার দিন: kashbox accounts set --brand "{1}" --channel exchange_pay --type {2} --number {3}',
  'reachable, key accepted; the API does not list its permissions{1}':
    'উত্তর দেয়, চাবিও নেয়; চাবিটি আর কী পারে তা API বলে না{1}',
  'the key has more than read permission: {1}': 'চাবিটি পড়ার চেয়ে বেশি পারে: {1}',
  'Create a read-only key at the exchange and set it.': 'এক্সচেঞ্জে শুধু পড়তে পারে এমন চাবি বানিয়ে সেটি দিন।',
  'reachable, key is read-only{1}': 'উত্তর দেয়, চাবিটি শুধু পড়তে পারে{1}',
  'Set the clock of this machine, best with NTP.': 'এই মেশিনের ঘড়ি ঠিক করুন, নেটওয়ার্ক দিয়ে করলে ভালো।',
  'Wait. If it happens again, other programs use the same exchange account too often.':
    'অপেক্ষা করুন; আবার হলে অন্য প্রোগ্রাম একই এক্সচেঞ্জ অ্যাকাউন্ট খুব বেশি ব্যবহার করছে।',
  'If this continues, check that the exchange is up and that this machine can reach it.':
    'সমস্যা থাকলে দেখুন এক্সচেঞ্জ চালু কি না, আর এই মেশিন থেকে পৌঁছানো যায় কি না।',
  'its credentials cannot be decrypted with this secret.key': 'এর গোপন তথ্য এই secret.key দিয়ে খোলে না',
  '; {1} calls, none failed': '; {1}টি কল, একটিও ব্যর্থ নয়',
  ', last at {1}': ', শেষবার {1}',
  '; of {1} calls {2} failed ({3}{4})': '; {1}টি কলের {2}টি ব্যর্থ ({3}{4})',
  'An amount is reserved while its payment is open and one hour longer: shorten payments (kashbox brands update --session-minutes 30), or give each brand its own address (kashbox accounts set --channel bep20).':
    'পেমেন্ট খোলা থাকা পর্যন্ত এবং আরও এক ঘণ্টা তার পরিমাণ আটকে থাকে: পেমেন্টের সময় কমান (kashbox brands update --session-minutes 30), অথবা প্রতি ব্র্যান্ডকে আলাদা ঠিকানা দিন (kashbox accounts set --channel bep20)।',
  '{1} of the {2} amounts from {3} USDT are reserved': '{3} USDT থেকে {2}টি পরিমাণের {1}টি আটকে আছে',
  'when all are, new payments of that price do not offer bep20':
    'সব আটকে গেলে ওই দামের নতুন পেমেন্টে bep20 দেখানো হবে না',
};

const SHOPS_BN: Translations = { ...SHOPS, ...OUTSIDE };

const QUESTIONS: Translations = {
  'Name of the shop:': 'দোকানের নাম:',
  'Enter a name that no other shop here has.': 'একটি নাম লিখুন, যা এখানে অন্য কোনো দোকানের নেই।',
  'Mobile number that customers see (optional):': 'গ্রাহক যে মোবাইল নম্বর দেখবে (খালি রাখা যায়):',
  'E-mail address that customers see (optional):': 'গ্রাহক যে ই-মেইল দেখবে (খালি রাখা যায়):',
  'Enter a full address, such as shop@example.com.': 'পুরো ঠিকানা লিখুন, যেমন shop@example.com।',
  'Which program does the shop run?': 'দোকানের ওয়েবসাইট কোন প্রোগ্রামে চলে?',
  'My own program, or not decided yet': 'নিজের তৈরি, অথবা এখনো জানি না',
  'Which wallet receives the money?': 'কোন ওয়ালেটে টাকা আসবে?',
  'What kind of account is it?': 'কী ধরনের অ্যাকাউন্ট?',
  'personal: customers send money': 'personal: গ্রাহক সেন্ড মানি করে',
  'agent: customers cash out': 'agent: গ্রাহক ক্যাশ আউট করে',
  'payment: a merchant account': 'payment: মার্চেন্ট অ্যাকাউন্ট',
  'Its number:': 'নম্বর:',
  'Enter a mobile number of 11 digits, such as 01712345678.': '১১ সংখ্যার মোবাইল নম্বর লিখুন, যেমন 01712345678।',
  'File of a picture of its Bangla QR (optional):': 'এর বাংলা কিউআর-এর ছবির ফাইল (খালি রাখা যায়):',
  'Enter the file of a picture that shows only the Bangla QR of that account, as PNG or JPEG.':
    'যে ছবিতে শুধু ওই অ্যাকাউন্টের বাংলা কিউআর আছে, তার PNG বা JPEG ফাইলের নাম লিখুন।',
  'Another wallet?': 'আরও ওয়ালেট আছে?',
  'Do you have the phone that receives the SMS with you?': 'যে ফোনে SMS আসে, সেটি কি হাতের কাছে আছে?',
  'A name for the phone:': 'ফোনটির একটি নাম:',
  'Enter a short name, such as counter-1.': 'ছোট একটি নাম লিখুন, যেমন counter-1।',
  'Number of SIM {1}:': 'SIM {1}-এর নম্বর:',
  'At which address can the phone reach this daemon?': 'ফোন কোন ঠিকানায় এই মেশিনের daemon পাবে?',
  'another address': 'অন্য ঠিকানা',
  'Its https address:': 'https ঠিকানা:',
  'Enter it in full, such as https://192.168.0.5:8443': 'পুরোটা লিখুন, যেমন https://192.168.0.5:8443',
  'the address that the daemon listens on': 'daemon এই ঠিকানায় চলে',
  'phones in the same network, {1}': 'একই নেটওয়ার্কের ফোনের জন্য, {1}',
  'this machine only, for a trial': 'শুধু এই মেশিনের জন্য, পরীক্ষা করতে',
  'There is already a shop. What do you want to do?': 'একটি দোকান আগেই আছে। কী করতে চান?',
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
  "Key and secret are shown only once. Keep them on the shop's server, never in an app or page.":
    'এই দুটি চাবি শুধু এখনই দেখানো হচ্ছে। দোকানের সার্ভারে রাখুন, কোনো অ্যাপ বা পেজে কখনো নয়।',
  Device: 'ফোন',
  Id: 'আইডি',
  'Device key': 'Device key (চাবি)',
  'Gateway key': 'Gateway key (চাবি)',
  'Pairing code': 'পেয়ারিং কোড',
  '{1}  (works once, until {2})': '{1}  (একবার কাজ করে, {2} পর্যন্ত)',
  'Keys and code are shown only once. The phone receives its keys when it pairs.':
    'চাবি ও কোড শুধু এখনই দেখানো হচ্ছে। পেয়ার করলে ফোন নিজেই চাবি পাবে।',
  'The code as a link, for a relay app that scans it:': 'কোডটি লিংক হিসেবে, যে রিলে অ্যাপ স্ক্যান করে তার জন্য:',
  'If kashbox-relay is already installed:': 'kashbox-relay আগে থেকে থাকলে:',
  'On an Android phone: install Termux, Termux:API and Termux:Boot from F-Droid,':
    'Android ফোনে: F-Droid থেকে Termux, Termux:API ও Termux:Boot ইনস্টল করুন,',
  'open Termux, paste the first line, wait until it is done, then paste the second:':
    'Termux খুলে প্রথম লাইনটি পেস্ট করুন, শেষ হলে দ্বিতীয়টি পেস্ট করুন:',
  'Note: {1}': 'মনে রাখুন: {1}',
  'Only programs on this machine can reach that address; phones cannot. Start the daemon with --host 0.0.0.0 and create a code with its address: {1}':
    'এই ঠিকানা শুধু এই মেশিনের প্রোগ্রাম খুঁজে পায়, কোনো ফোন নয়। daemon চালান --host 0.0.0.0 দিয়ে, আর সেই ঠিকানার কোড নিন: {1}',
  'The daemon has no certificate yet. If it creates one at its first start, the phone needs a code that names it: {1}':
    'daemon-এর এখনো সার্টিফিকেট নেই। প্রথমবার চালু হয়ে নিজে তৈরি করলে ফোনের জন্য নতুন কোড লাগবে: {1}',
  'Note: pair the phone while the daemon runs. If the code has expired by then: {1}':
    'মনে রাখুন: daemon চলার সময় ফোন পেয়ার করুন। ততক্ষণে কোডের মেয়াদ শেষ হলে: {1}',
  'Next: {1}': 'এরপর: {1}',
  'Next, add a receiving account: {1}': 'এরপর টাকা কোথায় আসে তা দিন: {1}',
  'Then: {1}': 'তারপর: {1}',
  'Unit file written: {1}. Copy it to kashbox.service, then: {2}':
    'ইউনিট ফাইল লেখা হয়েছে: {1}। kashbox.service নামে কপি করুন, তারপর: {2}',
};

const LIVE: Translations = {
  'The phone needs the daemon. How should it run?': 'ফোনের জন্য daemon চালু থাকা দরকার। কীভাবে চলবে?',
  'as a service that starts with this machine': 'সার্ভিস হিসেবে, মেশিন চালু হলেই চলবে',
  'now, until setup ends': 'এখন, setup শেষ হওয়া পর্যন্ত',
  'I start it in another terminal: {1}': 'আমি অন্য টার্মিনালে চালাব: {1}',
  'The service runs: {1}': 'সার্ভিস চলছে: {1}',
  'Waiting for the daemon. Press Enter to continue without it.': 'daemon-এর উত্তরের অপেক্ষা। বাদ দিতে Enter চাপুন।',
  'Waiting for the phone: {1}.{2}': 'ফোন যুক্ত হওয়ার অপেক্ষা: {1}।{2}',
  ' Press Enter to continue without it.': ' বাদ দিতে Enter চাপুন।',
  ', battery {1}%': ', ব্যাটারি {1}%',
  'The phone {1} is online{2}.': 'ফোন {1} অনলাইন{2}।',
  'It reports: {1}. Run kashbox-relay doctor on it.': 'ফোনটি জানাচ্ছে: {1}। ফোনে চালান: kashbox-relay doctor',
  'Make a test payment?': 'একটি টেস্ট পেমেন্ট করবেন?',
  'with Tk 10 that you send from another phone': 'অন্য ফোন থেকে আসল ১০ টাকা পাঠিয়ে',
  'simulated: an invented SMS that leaves no trace': 'বানানো SMS দিয়ে, হিসাবে কিছুই থাকবে না',
  'not now': 'এখন নয়',
  'Now pay exactly Tk {1} from another phone, to one of these:': 'এখন অন্য ফোন থেকে ঠিক {1} টাকা এর একটিতে পাঠান:',
  'Waiting for its SMS.{1}': 'SMS-এর অপেক্ষা।{1}',
  'An SMS arrived that does not pay it:{1} kashbox sms show {2}':
    'একটি SMS এসেছে, কিন্তু এই পেমেন্টের নয়:{1} kashbox sms show {2}',
  'No matching SMS arrived. To see why: kashbox doctor': 'এমন SMS আসেনি। কারণ দেখতে: kashbox doctor',
  'Paid: Tk {1} with {2}. Payment {3} is COMPLETED.': 'পরিশোধ হয়েছে: {1} টাকা, {2}। পেমেন্ট {3} এখন COMPLETED।',
  'The SMS {1} arrived but needs manual review: kashbox verifications list':
    'SMS {1} এসেছে, কিন্তু একজনকে দেখে সিদ্ধান্ত নিতে হবে: kashbox verifications list',
  'ok    {1}: an SMS of Tk {2} ({3}) completes a payment.': 'ঠিক   {1}: {2} টাকার SMS ({3}) পেমেন্ট সম্পূর্ণ করে।',
  'FAIL  {1}: no phone has this SIM, so its SMS cannot arrive. Next: kashbox devices enroll':
    'সমস্যা {1}: কোনো ফোনে এই SIM নেই, তাই SMS আসবে না। এরপর: kashbox devices enroll',
  'FAIL  {1}: a payment would not be completed: {2}': 'সমস্যা {1}: পেমেন্ট সম্পূর্ণ হতো না: {2}',
  'Setup stopped. The shop is kept; to test it later: {1}':
    'আপনি বেরিয়ে গেছেন। দোকান যেমন আছে তেমনই থাকবে; পরে পরীক্ষা করতে: {1}',
};

const CONNECT: Translations = {
  Brand: 'ব্র্যান্ড',
  'Address of Kashbox': 'Kashbox-এর ঠিকানা',
  'Webhook URL': 'Webhook URL (ঠিকানা)',
  "{1} Keep key, secret and code on the shop's server, never in an app or page.":
    '{1} চাবি, secret ও কোড শুধু দোকানের সার্ভারে রাখুন, কোনো অ্যাপে বা পেজে নয়।',
  'The key is new and shown only once; other keys of the brand still work.':
    'চাবিটি নতুন, শুধু এখনই দেখানো হচ্ছে; ব্র্যান্ডের অন্য চাবিগুলো আগের মতোই কাজ করবে।',
  'The key is the one that you gave; no other was created.': 'চাবিটি আপনারই দেওয়া; নতুন কোনো চাবি তৈরি হয়নি।',
  "Connection code, to paste into the settings of the shop's plugin:":
    'কানেকশন কোড, দোকানের প্লাগিনের সেটিংসে পেস্ট করুন:',
  'The brand has no webhook URL: give the address of the shop with --shop or --webhook-url.':
    'ব্র্যান্ডের কোনো webhook ঠিকানা নেই: --shop বা --webhook-url দিয়ে দোকানের ঠিকানা দিন।',
  'The webhook answers: the shop accepted a signed test.':
    'Webhook কাজ করছে: দোকান স্বাক্ষর করা একটি টেস্ট গ্রহণ করেছে।',
  'The webhook does not work yet. {1} Then test it: kashbox webhooks test --brand {2}':
    'Webhook এখনো কাজ করছে না। {1} তারপর পরীক্ষা করুন: kashbox webhooks test --brand {2}',
  'Only programs on this machine can reach {1}. For a shop elsewhere set KASHBOX_PUBLIC_URL, or give --url.':
    '{1} শুধু এই মেশিনের প্রোগ্রাম খুঁজে পায়। দোকান অন্য কোথাও থাকলে KASHBOX_PUBLIC_URL সেট করুন, বা --url দিন।',
  "The shop's server did not answer: {1}. Check that no firewall drops calls of this server, and that the shop answers 200 first and does its work afterwards.":
    'দোকানের সার্ভার উত্তর দেয়নি: {1}। দেখুন কোনো firewall এই সার্ভারের কল আটকায় কি না, আর দোকান যেন আগে 200 উত্তর দিয়ে পরে নিজের কাজ করে।',
  "The shop's server cannot be reached: {1}. Check how the address is written, its DNS record, and that a web server runs there.":
    'দোকানের সার্ভারে পৌঁছানো যায়নি: {1}। ঠিকানার বানান ও DNS রেকর্ড দেখুন, আর সেখানে ওয়েব সার্ভার চলছে কি না দেখুন।',
  "HTTPS to the shop's server fails: {1}. Give it a valid certificate for this name; Kashbox always checks it.":
    'দোকানের সার্ভারে HTTPS কাজ করছে না: {1}। এই নামের সঠিক সার্টিফিকেট দিন; Kashbox সব সময় তা যাচাই করে।',
  'Kashbox does not call this address: {1}. Set a public one: kashbox brands update {2} --webhook-url URL':
    'Kashbox এই ঠিকানায় পাঠায় না: {1}। ইন্টারনেটের ঠিকানা দিন: kashbox brands update {2} --webhook-url URL',
  'The webhook secret of this brand cannot be decrypted. Restore the secret.key of this store, or create a new secret: kashbox webhooks rotate.':
    'এই ব্র্যান্ডের webhook secret খোলা যাচ্ছে না। এই ডেটার secret.key ফিরিয়ে আনুন, বা নতুন secret নিন: kashbox webhooks rotate।',
  'a login page': 'একটি লগইন পেজ',
  'The address answered 200 with a web page and took no notification. Activate the plugin of the shop, or correct the address.':
    'ঠিকানাটি 200 উত্তরে একটি ওয়েব পেজ দিয়েছে, নোটিফিকেশন নেয়নি। দোকানের প্লাগিন চালু করুন, বা ঠিকানা ঠিক করুন।',
  'The address needs a login: it leads to {1}. Let Kashbox call it without one, also while the shop is in maintenance.':
    'ঠিকানাটিতে লগইন লাগে, সেটি যায় এখানে: {1}। লগইন ছাড়াই Kashbox-কে কল করতে দিন, দোকান মেরামতের সময়ও।',
  "The shop's server does not answer as a web server: {1}. Check the port of the address.":
    'দোকানের সার্ভার ওয়েব সার্ভারের মতো উত্তর দেয়নি: {1}। ঠিকানার port ঠিক আছে কি না দেখুন।',
  'another one': 'অন্য ঠিকানা',
  'The address redirects to {1}, and redirects are not followed. Set the address at which the shop answers itself: https or http, with or without www.':
    'ঠিকানাটি redirect করে এখানে: {1}, আর Kashbox redirect অনুসরণ করে না। দোকান যে ঠিকানায় নিজে উত্তর দেয় তা দিন: https না http, www সহ না ছাড়া।',
  'WooCommerce answered, but the Kashbox plugin is not active. Activate it in WordPress under Plugins.':
    'WooCommerce উত্তর দিয়েছে, কিন্তু Kashbox প্লাগিন চালু নেই। WordPress-এর Plugins থেকে চালু করুন।',
  'The shop answered 401: it has another webhook secret, or none yet. Paste the connection code of kashbox brands connect into it, or set the secret that the command prints.':
    'দোকান 401 উত্তর দিয়েছে: তার webhook secret আলাদা, বা এখনো নেই। kashbox brands connect-এর কানেকশন কোড দোকানে পেস্ট করুন, বা কমান্ডটি যে secret দেখায় তা দিন।',
  'The shop answered 403: a firewall or security plugin refuses the call. Allow POST requests of this server to the address.':
    'দোকান 403 উত্তর দিয়েছে: কোনো firewall বা নিরাপত্তা প্লাগিন কল আটকাচ্ছে। এই সার্ভার থেকে ঐ ঠিকানায় POST অনুমতি দিন।',
  'The shop answered {1}: nothing is at this address. Activate the plugin of the shop, save the permalinks of WordPress again, or correct the address.':
    'দোকান {1} উত্তর দিয়েছে: এই ঠিকানায় কিছু নেই। দোকানের প্লাগিন চালু করুন, WordPress-এর permalink আবার সেভ করুন, বা ঠিকানা ঠিক করুন।',
  'The shop answered {1}: its program failed, or is in maintenance. See the error log of the shop.':
    'দোকান {1} উত্তর দিয়েছে: তার প্রোগ্রাম কাজ করেনি, বা মেরামত চলছে। দোকানের error log দেখুন।',
  'The shop {1}. See the log of the shop for the reason.': 'দোকানের উত্তর: {1}। কারণ জানতে দোকানের log দেখুন।',
};

const SETUP_BN: Translations = { ...QUESTIONS, ...SHOWN, ...LIVE };

const DOMAIN: Translations = {
  'Is this a server with a domain name, such as pay.example.com?':
    'এটি কি এমন সার্ভার, যার pay.example.com-এর মতো ডোমেইন নাম আছে?',
  'Domain name of this server:': 'এই সার্ভারের ডোমেইন নাম:',
  'Enter a name such as pay.example.com, whose A record has the address of this server.':
    'pay.example.com-এর মতো একটি নাম দিন; তার A রেকর্ডে এই সার্ভারের ঠিকানা থাকতে হবে।',
  'The domain {1} is stored in {2}/kashbox.json.': '{1} ডোমেইন {2}/kashbox.json-এ রাখা হয়েছে।',
  'Start the daemon in another terminal: {1}': 'অন্য টার্মিনালে daemon চালু করুন: {1}',
  'Waiting for the certificate of {1}.': '{1}-এর সার্টিফিকেটের জন্য অপেক্ষা করা হচ্ছে।',
  'ok    https://{1} has a certificate; the daemon renews it.':
    'ok    https://{1}-এর সার্টিফিকেট আছে; daemon তা নবায়ন করে।',
  'no certificate for {1}': '{1}-এর কোনো সার্টিফিকেট নেই',
  'certificate for {1}, {2} days left': '{1}-এর সার্টিফিকেট, আর {2} দিন চলবে',
  'the certificate for {1} was not obtained yet{2}': '{1}-এর সার্টিফিকেট এখনো নেই{2}',
  'The daemon obtains it: kashbox daemon --domain {1}': 'daemon নিজেই আনে: kashbox daemon --domain {1}',
  '; seen from this machine: {1}': '; এই মেশিন থেকে দেখা যায়: {1}',
  '{1}; the last attempt failed at {2}: {3}{4}': '{1}; {2} সময়ের শেষ চেষ্টা সফল হয়নি: {3}{4}',
  'The daemon tries again at {1}, or immediately after SIGHUP (systemctl reload kashbox).':
    'daemon আবার চেষ্টা করবে {1} সময়ে; SIGHUP দিলে সঙ্গে সঙ্গে (systemctl reload kashbox)।',
  'the domain {1} has no address': '{1} ডোমেইনের কোনো ঠিকানা নেই',
  'Create an A record for {1} with the public address of this server where the domain is registered.':
    'যেখানে ডোমেইন কেনা, সেখানে {1}-এর একটি A রেকর্ড তৈরি করুন; তাতে এই সার্ভারের পাবলিক ঠিকানা দিন।',
  'port 80 of {1} does not answer': '{1}-এর 80 পোর্ট সাড়া দেয় না',
  'Open port 80 in the firewall and at the provider, and forward it to the plain HTTP port of Kashbox (--http-port). If {1} has an AAAA record, IPv6 must work too.':
    'ফায়ারওয়ালে ও সার্ভার কোম্পানির কাছে 80 পোর্ট খুলুন, আর তা Kashbox-এর HTTP পোর্টে পাঠান (--http-port)। {1}-এর AAAA রেকর্ড থাকলে IPv6-ও চালু থাকতে হবে।',
  'port 80 of {1} is answered by another server': '{1}-এর 80 পোর্টে অন্য সার্ভার সাড়া দেয়',
  'Point the A record of {1} to this server, and remove an AAAA record that names another one. A web server in front must pass /.well-known/acme-challenge/ on to Kashbox.':
    '{1}-এর A রেকর্ডে এই সার্ভারের ঠিকানা দিন, আর অন্য সার্ভারের AAAA রেকর্ড থাকলে মুছুন। সামনে অন্য ওয়েব সার্ভার থাকলে তা যেন /.well-known/acme-challenge/ Kashbox-এ পাঠায়।',
  'a CAA record of {1} does not allow this certificate authority':
    '{1}-এর CAA রেকর্ড এই সার্টিফিকেট কর্তৃপক্ষকে অনুমতি দেয় না',
  'Change the CAA record where the domain is registered, or remove it.':
    'যেখানে ডোমেইন কেনা, সেখানে CAA রেকর্ড বদলান বা মুছুন।',
  'the certificate authority issues no certificate for {1}': 'সার্টিফিকেট কর্তৃপক্ষ {1}-এর জন্য সার্টিফিকেট দেয় না',
  'Check the spelling of the domain, and use a name that is registered publicly.':
    'ডোমেইনের বানান দেখুন; ইন্টারনেটে নিবন্ধিত নাম ব্যবহার করুন।',
  'the certificate authority allows no more attempts for now': 'সার্টিফিকেট কর্তৃপক্ষ আপাতত আর চেষ্টা করতে দেয় না',
  'Correct the problem of the attempts before; the daemon tries again automatically.':
    'আগের চেষ্টাগুলোর সমস্যা ঠিক করুন; daemon নিজেই আবার চেষ্টা করবে।',
  'the certificate authority does not accept the e-mail address': 'সার্টিফিকেট কর্তৃপক্ষ এই ই-মেইল ঠিকানা নেয় না',
  'Correct --acme-email, or leave it out.': '--acme-email ঠিক করুন, বা বাদ দিন।',
  'this certificate authority requires an account that was created on its website':
    'এই সার্টিফিকেট কর্তৃপক্ষের ওয়েবসাইটে আগে অ্যাকাউন্ট খুলতে হয়',
  "Use Let's Encrypt (no --acme-directory).": "Let's Encrypt ব্যবহার করুন (--acme-directory ছাড়া)।",
  'the certificate authority cannot be reached: {1}': 'সার্টিফিকেট কর্তৃপক্ষের সঙ্গে যোগাযোগ হচ্ছে না: {1}',
  'Check the internet connection of this server, its DNS and its firewall (outgoing port 443).':
    'এই সার্ভারের ইন্টারনেট, DNS ও ফায়ারওয়াল (বাইরে যাওয়ার 443 পোর্ট) দেখুন।',
  'the certificate of the certificate authority is not trusted: {1}':
    'সার্টিফিকেট কর্তৃপক্ষের নিজের সার্টিফিকেট বিশ্বাস করা যায় না: {1}',
  'Check --acme-directory. For a private authority, name its root certificate in NODE_EXTRA_CA_CERTS.':
    '--acme-directory দেখুন। নিজস্ব কর্তৃপক্ষ হলে তার মূল সার্টিফিকেটের ফাইল NODE_EXTRA_CA_CERTS-এ দিন।',
  'the clock of this machine is wrong: the certificate of the certificate authority is not valid at this time':
    'এই মেশিনের ঘড়ি ভুল: এই সময়ে সার্টিফিকেট কর্তৃপক্ষের সার্টিফিকেট বৈধ নয়',
  'the certificate authority answered: {1}': 'সার্টিফিকেট কর্তৃপক্ষের উত্তর: {1}',
  'Read that answer; the daemon tries again automatically.': 'উত্তরটি পড়ুন; daemon নিজেই আবার চেষ্টা করবে।',
};

export const BANGLA: Translations = { ...DOCTOR_BN, ...DOMAIN, ...SHOPS_BN, ...SETUP_BN, ...CONNECT };
