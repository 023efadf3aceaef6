/** Sending through programs that tell nothing: only the phone's own list proves what became of an SMS. */
import test, { type ExecutionContext } from 'ava';
import type { Dispatch, SendOutcome } from '../../../src/core/ports.js';
import { TermuxSender } from '../../../src/platforms/termux/termux-sender.js';
import { until } from '../../helpers/agent.js';
import { FakeClock } from '../../helpers/clock.js';
import { dispatch } from '../../helpers/dispatches.js';
import { FakePhone } from '../../helpers/fake-phone.js';

async function senderOf(t: ExecutionContext, plan: object, limitMs = 15_000) {
  const phone = await FakePhone.open(t, plan);
  const clock = new FakeClock();
  const sender = new TermuxSender(phone.calls(limitMs), clock);
  const told = new Map<string, SendOutcome>();
  t.teardown(() => sender.close());
  const send = (one: Dispatch): Promise<void> =>
    sender.send(one, (outcome) => {
      told.set(one.id, outcome);
    });
  /** Lets the clock run on while the programs take the time that they take. */
  const outcome = async (id: string): Promise<SendOutcome | undefined> => {
    await until(`the outcome of ${id}`, async () => {
      await clock.advance(500);
      return told.has(id);
    });
    return told.get(id);
  };
  return { phone, clock, send, told, outcome };
}

test('a row of sent says SENT, one of failed FAILED', async (t) => {
  const { phone, send, outcome } = await senderOf(t, { sending: 'sent' });
  await send(dispatch('a', { message: '  আপনার কোড ১২৩৪ 🎉\n' }));
  t.deepEqual(await outcome('a'), { state: 'SENT' });
  await phone.plan({ sending: 'failed' });
  await send(dispatch('b'));
  t.is((await outcome('b'))?.state, 'FAILED');
});

test('without a row nobody knows, though the program ended well', async (t) => {
  const { phone, send, outcome } = await senderOf(t, {});
  await phone.addSent({ _id: 1, type: 'sent', address: '+8801700000001', body: 'text of a' });
  await send(dispatch('a'));
  t.is((await outcome('a'))?.state, 'UNKNOWN', 'the row that was there before proves nothing');
});

test('an outbox row or one with another number or text does not count as proof', async (t) => {
  const { phone, send, told, outcome } = await senderOf(t, {});
  await send(dispatch('a'));
  await phone.addSent({ _id: 5, type: 'outbox', address: '+8801700000001', body: 'text of a' });
  await phone.addSent({ _id: 6, type: 'sent', address: '+8801700000002', body: 'text of a' });
  await phone.addSent({ _id: 7, type: 'sent', address: '+8801700000001', body: 'text of b' });
  const before = (await phone.called('termux-sms-list')).length;
  t.is(told.get('a'), undefined);
  await phone.addSent({ _id: 8, type: 'sent', address: '01700000001', body: 'text of a' });
  t.deepEqual(await outcome('a'), { state: 'SENT' }, 'the network writes the number without the country');
  t.true((await phone.called('termux-sms-list')).length >= before);
});

test('one row proves one SMS: of two that are alike the other stays unknown', async (t) => {
  const { phone, send, outcome, told } = await senderOf(t, {});
  await send(dispatch('a', { message: 'same' }));
  await send(dispatch('b', { message: 'same' }));
  await phone.addSent({ _id: 8, type: 'sent', address: '+8801700000001', body: 'same' });
  t.is((await outcome('b'))?.state, 'UNKNOWN');
  t.deepEqual(told.get('a'), { state: 'SENT' });
});

test('a program that hangs may have sent it: its row decides', async (t) => {
  const plan = { sending: 'sent', hang: ['termux-sms-send'] };
  const { send, outcome } = await senderOf(t, plan, 10_000);
  await send(dispatch('a'));
  t.deepEqual(await outcome('a'), { state: 'SENT' });
});

test('the slot is counted from nought, the text comes on stdin, and both are all there is', async (t) => {
  const { phone, send } = await senderOf(t, {});
  await send(dispatch('a', { simSlot: 2, message: '-n 999 `id` $(id)' }));
  await send(dispatch('b', { number: '*121#' }));
  const calls = await phone.called('termux-sms-send');
  t.deepEqual(
    calls.map(({ args, input }) => [args, input]),
    [
      [['-n', '+8801700000001', '-s', '1'], '-n 999 `id` $(id)'],
      [['-n', '*121#'], 'text of b'],
    ],
  );
});

test('an invalid number or empty text fails without a call', async (t) => {
  const { phone, send, told } = await senderOf(t, { sending: 'sent' });
  const numbers = [
    '017 00',
    '0170;id',
    '-s 1',
    '$(id)',
    '0170,0171',
    '12',
    '+',
    '0'.repeat(21),
    '০১৭০০০০০০০১',
  ];
  for (const number of numbers) {
    told.delete('a');
    await send(dispatch('a', { number }));
    t.is(told.get('a')?.state, 'FAILED', number);
  }
  await send(dispatch('b', { message: ' \n ' }));
  t.is(told.get('b')?.state, 'FAILED');
  t.deepEqual(await phone.called(), []);
});

test('a missing permission fails it, in the words of Termux:API', async (t) => {
  const { send, told } = await senderOf(t, { refuse: { 'termux-sms-send': 'Please grant SEND_SMS' } });
  await send(dispatch('a'));
  t.deepEqual(told.get('a'), {
    state: 'FAILED',
    error: 'Termux:API refuses termux-sms-send: Please grant SEND_SMS',
  });
});

test('when the list cannot be read before, nothing is sent', async (t) => {
  const { phone, send, told } = await senderOf(t, { refuse: { 'termux-sms-list': 'Please grant READ_SMS' } });
  await send(dispatch('a'));
  t.regex(JSON.stringify(told.get('a')), /FAILED.*nothing was sent: .*READ_SMS/);
  t.deepEqual(await phone.called('termux-sms-send'), []);
});
