/** Numbers, dates and days as people type them. */
import test from 'ava';
import { openCli } from '../../helpers/programs/cli.js';

test.serial('Bangla digits are taken in amounts, rates, fees, phone numbers, counts and dates', async (t) => {
  const kashbox = await openCli(t);
  const done = async (...args: string[]) => {
    const ran = await kashbox(...args, '--json');
    t.is(ran.code, 0, `${args.join(' ')}: ${ran.stdout}`);
    return ran.json();
  };
  await done('merchants', 'create', '--name', 'Alo', '--mobile', '০১৭১১০০০০০১');
  await done('brands', 'update', 'Alo', '--session-minutes', '১৫', '--fee', 'mfs_a=১.৮৫%');
  t.like(await done('brands', 'show', 'Alo'), { session_minutes: 15, fees: { mfs_a: '1.85%' } });
  t.like(await done('rates', 'set', '১২১.৫০'), { rate: '121.5' });
  const account = ['accounts', 'set', '--brand', 'Alo', '--channel', 'mfs_a', '--type', 'personal'];
  t.like(await done(...account, '--number', '০১৭১১০০০০০১'), { number: '01711000001' });
  await done('devices', 'enroll', '--merchant', 'Alo', '--name', 'counter-1', '--sim', '১=০১৭১১০০০০০১');
  await done('messages', 'send', '--device', 'counter-1', '--to', '০১৮১২৩৪৫৬৭৮', '--message', 'দোকান ২');
  const [sent] = (await kashbox('messages', 'list', '--since', '১h', '--limit', '১', '--json')).json<
    object[]
  >();
  t.like(sent, { number: '+8801812345678', message: 'দোকান ২' });
  await done('payments', 'create', '--brand', 'Alo', '--name', 'রহিমা ২', '--amount', '৫০০.৫০');
  const [payment] = (await kashbox('payments', 'list', '--since', '২০২৬-০১-০১', '--json')).json<object[]>();
  t.like(payment, { amount: '500.50', cus_name: 'রহিমা ২' });
  const refused = await kashbox('payments', 'list', '--limit', '০');
  t.is(refused.code, 2);
});

test.serial('lists take --since and --until in days', async (t) => {
  const kashbox = await openCli(t);
  await kashbox('merchants', 'create', '--name', 'Alo');
  await kashbox('payments', 'create', '--brand', 'Alo', '--name', 'R', '--amount', '5');
  const count = async (...span: string[]) =>
    (await kashbox('payments', 'list', ...span, '--json')).json<object[]>().length;
  t.is(await count('--since', 'yesterday'), 1);
  t.is(await count('--since', 'yesterday', '--until', '0s'), 1);
  t.is(await count('--until', 'yesterday'), 0);
  t.is((await kashbox('payments', 'list', '--since', 'today', '--until', 'yesterday')).code, 2);
});
