/** What is said with Telegram: long texts are cut, buttons are known again, and presses are doubted. */
import test from 'ava';
import {
  buttonsBelow,
  parseButton,
  parseUpdates,
  telegramText,
} from '../../../src/domain/alerts/telegram.js';

const MESSAGE = `msg_${'0123456789ab'.repeat(2)}`;

test('a text of 4,096 characters goes as it is, a longer one is cut, and no character with it', (t) => {
  t.is(telegramText('a'.repeat(4_096)), 'a'.repeat(4_096));
  t.is(telegramText('a'.repeat(4_097)), `${'a'.repeat(4_095)}…`);
  const cut = telegramText(`${'a'.repeat(4_094)}😀😀`);
  t.true(cut.isWellFormed());
  t.is(cut, `${'a'.repeat(4_094)}\ufffd…`);
});

const keys = { deriveKey: (purpose: string) => Buffer.from(purpose) };

test('a button is known again with its facts, and has room in the 64 bytes that it may take', (t) => {
  for (const [text, actions] of [
    ['question', { approve: 'a', reject: 'r' }],
    ['warning', { approve_anyway: 'y', reject: 'r' }],
  ] as const) {
    for (const facts of ['0123456789ab', null]) {
      const buttons = buttonsBelow(keys, text, { message: MESSAGE, facts });
      const read = buttons.map(({ data }) => parseButton(keys, data));
      t.deepEqual(
        read,
        Object.keys(actions).map((action) => ({ action, message: MESSAGE, facts })) as typeof read,
      );
      t.deepEqual(
        buttons.map(({ data }) => data[0]),
        Object.values(actions),
      );
      t.true(buttons.every(({ data }) => data.length <= 64));
    }
  }
});

test('rejects data that is not from our buttons', (t) => {
  const [button] = buttonsBelow(keys, 'question', { message: MESSAGE, facts: '0123456789ab' });
  const [, , , proof = ''] = button?.data.split(':') ?? [];
  for (const data of [
    '',
    `x:${MESSAGE}:0123456789ab:${proof}`,
    `r:${MESSAGE}:0123456789ab:${proof}`,
    `y:${MESSAGE}:0123456789ab:${proof}`,
    `a:${MESSAGE}:${proof}`,
    `a:${MESSAGE}:0123456789ac:${proof}`,
    `a:${MESSAGE}:0123456789ab:`,
    `a:${MESSAGE}:0123456789ab:${proof.slice(1)}`,
    `a:${MESSAGE}:0123456789ab:${proof}x`,
    `a:${MESSAGE}:0123456789ab:${proof.slice(1)} `,
    `a:${MESSAGE.slice(0, -1)}f:0123456789ab:${proof}`,
    `a:${MESSAGE.toUpperCase()}:0123456789ab:${proof}`,
    `a:ses_${MESSAGE.slice(4)}:0123456789ab:${proof}`,
    ` ${button?.data}`,
    `${button?.data} `,
  ])
    t.is(parseButton(keys, data), null, data);
  t.is(parseButton({ deriveKey: () => Buffer.from('another key') }, button?.data ?? ''), null);
});

const press = {
  id: '4382bfdwdsb323b2d9',
  from: { id: 1111, first_name: 'Rahima', last_name: 'Khatun', username: 'rahima' },
  message: { message_id: 42, chat: { id: -1007 } },
  data: 'a:b:c',
};
const read = (query: unknown) => parseUpdates([{ update_id: 7, callback_query: query }]).presses;

test('a press contains who pressed what, in which chat', (t) => {
  t.deepEqual(parseUpdates([{ update_id: 7, callback_query: press }]), {
    presses: [
      {
        query: press.id,
        user: '1111',
        name: 'Rahima Khatun',
        chat: '-1007',
        messageNumber: 42,
        data: 'a:b:c',
      },
    ],
    next: 8,
  });
});

test('a name may be missing in part or whole, and so may chat, message and data', (t) => {
  const named = (from: object) => read({ ...press, from: { id: 1, ...from } })[0]?.name;
  t.is(named({ first_name: 'Rahima' }), 'Rahima');
  t.is(named({ last_name: 'Khatun', username: 'rahima' }), 'Khatun');
  t.is(named({ first_name: ' ', username: 'rahima' }), 'rahima');
  t.is(named({ first_name: 5, username: null }), '');
  const bare = { query: press.id, user: '1111', chat: null, messageNumber: 0, data: '' };
  t.like(read({ id: press.id, from: press.from })[0], bare);
  t.like(read({ ...press, message: { message_id: '42', chat: [] }, data: 5 })[0], bare);
  t.is(read({ ...press, message: { ...press.message, chat: { id: 2 ** 53 } } })[0]?.chat, null);
});

test('a query without a valid user or id is not a press', (t) => {
  for (const query of [
    null,
    'press',
    [press],
    { ...press, id: '' },
    { ...press, id: 7 },
    { ...press, from: null },
    { ...press, from: { ...press.from, id: '1111' } },
    { ...press, from: { ...press.from, id: 1.5 } },
  ])
    t.deepEqual(read(query), []);
});

test('the next update follows the highest number, including updates that are not presses', (t) => {
  const next = (...ids: unknown[]) => parseUpdates(ids.map((id) => ({ update_id: id }))).next;
  t.is(next(7, 9, 8), 10);
  t.is(next(0), 1);
  t.is(next('9', -1, null), null);
  t.is(next('9', 3), 4);
  for (const result of [null, {}, 'text', []]) t.deepEqual(parseUpdates(result), { presses: [], next: null });
  t.deepEqual(parseUpdates([null, [7], 'x']), { presses: [], next: null });
});
