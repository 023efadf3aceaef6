import test from 'ava';
import { HISTORY_PATH, paidRow } from '../../helpers/outside/exchange-server.js';
import { openGround } from './ground.js';

test('concurrent lookups and those within three seconds share one query', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.delayMs = 50;
  exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: 'P_ROW_1' }));
  const looks = await Promise.all(
    Array.from({ length: 50 }, (_, index) => reader.lookup(history, ground.asking(`P_ROW_${index}`))),
  );
  t.is(looks.filter(({ outcome }) => outcome === 'found').length, 1);
  t.is(looks.filter(({ outcome }) => outcome === 'not_found').length, 49);
  ground.now += 2_999;
  await reader.lookup(history, ground.asking('P_ROW_1'));
  t.is(exchange.asked.length, 1);
  ground.now += 1;
  await reader.lookup(history, ground.asking('P_ROW_1'));
  t.is(exchange.asked.length, 2);
});

test('after the clock was set back, payments are found, though they come before what was read', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const look = async () => (await reader.lookup(history, ground.asking('P_ROW_1'))).outcome;
  ground.now += 2 * 86_400_000;
  t.is(await look(), 'not_found');
  ground.now -= 2 * 86_400_000;
  t.is(await look(), 'not_found');
  ground.now += 4_000;
  exchange.rows.push(paidRow(ground.now - 1_000, { transactionId: 'P_ROW_1' }));
  t.is(await look(), 'found');
});

test('brands that share an exchange account share its look; each is judged by its own user id', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: 'P_ROW_1' }));
  const other = { ...history, id: 'acc_2', receiver: '11111111' };
  t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'found');
  t.like(await reader.lookup(other, ground.asking('P_ROW_1')), { outcome: 'refused', about: 'recipient' });
  t.is(exchange.asked.length, 1);
});

test('new credentials are used at once', async (t) => {
  const ground = await openGround(t);
  const { reader, history } = ground;
  t.is((await reader.lookup({ ...history, secret: 'old' }, ground.asking('P_ROW_1'))).outcome, 'unavailable');
  t.is((await reader.lookup(history, ground.asking('P_ROW_1'))).outcome, 'not_found');
});

test('a claim of an older session makes a wider look, which does not ask again for what is known', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const hour = 3_600_000;
  exchange.rows.push(paidRow(ground.now - 3 * hour, { transactionId: 'P_OLD' }));
  t.is((await reader.lookup(history, ground.asking('P_OLD'))).outcome, 'not_found');
  const look = await reader.lookup(history, { id: 'P_OLD', notBefore: ground.now - 3 * hour });
  t.is(look.outcome, 'found');
  const [first, wider] = exchange.asked.map(({ query }) => query);
  t.is(Number(wider?.get('endTime')) + 1, Number(first?.get('startTime')));
});

test('a look reaches back beyond the opening of the session, as far as payments may be earlier', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const notBefore = Date.UTC(2026, 7, 21, 6, 20);
  exchange.rows.push(paidRow(notBefore - 4 * 60_000, { transactionId: 'P_EARLY' }));
  t.is((await reader.lookup(history, { id: 'P_EARLY', notBefore })).outcome, 'found');
});

test('a wider look that is asked for while a narrow one is under way is made after it, once', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  exchange.delayMs = 50;
  const hour = 3_600_000;
  exchange.rows.push(paidRow(ground.now - 3 * hour, { transactionId: 'P_OLD' }));
  const older = { id: 'P_OLD', notBefore: ground.now - 3 * hour };
  const looks = await Promise.all([
    reader.lookup(history, ground.asking('P_OLD')),
    reader.lookup(history, older),
    reader.lookup(history, older),
  ]);
  t.deepEqual(
    looks.map(({ outcome }) => outcome),
    ['not_found', 'found', 'found'],
  );
  t.is(exchange.at(HISTORY_PATH).length, 3);
});

test('many questions at once are one look, wide enough for the oldest', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const hour = 3_600_000;
  exchange.rows.push(paidRow(ground.now - hour, { transactionId: 'P_OLD' }));
  exchange.rows.push(paidRow(ground.now - 60_000, { transactionId: 'P_NEW' }));
  const looks = await reader.lookupMany(history, [
    ground.asking('P_NEW'),
    { id: 'P_OLD', notBefore: ground.now - hour },
    ground.asking('P_OLD'),
    ground.asking('P_NONE'),
  ]);
  t.deepEqual(
    looks.map((look) => (look.outcome === 'refused' ? look.about : look.outcome)),
    ['found', 'found', 'time', 'not_found'],
  );
  t.is(exchange.asked.length, 1);
  t.deepEqual(await reader.lookupMany(history, []), []);
});

test('a busy account costs one call a look, not one for every hundred payments', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  for (let index = 0; index < 1_000; index += 1) {
    exchange.rows.push(
      paidRow(ground.now - 10 * 60_000 - index * 1_000, { transactionId: `P_ROW_${index}` }),
    );
  }
  const question = { id: 'P_ROW_999', notBefore: ground.now - 3_600_000 };
  t.is((await reader.lookup(history, question)).outcome, 'found');
  const whole = exchange.asked.length;
  for (let look = 1; look <= 10; look += 1) {
    ground.now += 3_000;
    exchange.rows.push(paidRow(ground.now - 1_000, { transactionId: `P_NEW_${look}` }));
    t.is((await reader.lookup(history, { ...question, id: `P_NEW_${look}` })).outcome, 'found');
    t.is((await reader.lookup(history, question)).outcome, 'found');
  }
  t.is(exchange.asked.length, whole + 10);
});

test('the next lookup finds a row that appears minutes after its own time', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const question = { id: 'P_LATE', notBefore: ground.now - 3_600_000 };
  t.is((await reader.lookup(history, question)).outcome, 'not_found');
  exchange.rows.push(paidRow(ground.now - 4 * 60_000, { transactionId: 'P_LATE' }));
  ground.now += 3_000;
  t.is((await reader.lookup(history, question)).outcome, 'found');
});

test('a row that appears even later is found by the next full read', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  const question = { id: 'P_LATE', notBefore: ground.now - 3_600_000 };
  t.is((await reader.lookup(history, question)).outcome, 'not_found');
  exchange.rows.push(paidRow(ground.now - 40 * 60_000, { transactionId: 'P_LATE' }));
  ground.now += 10 * 60_000;
  t.is((await reader.lookup(history, question)).outcome, 'found');
});

test('no more than 60 calls are made in any minute', async (t) => {
  const ground = await openGround(t);
  const { exchange, reader, history } = ground;
  // Every window of the last hour is full down to its milliseconds: far more to ask than is allowed.
  for (let index = 0; index < 9_000; index += 1) {
    exchange.rows.push(paidRow(ground.now - index * 100, { transactionId: `P_ROW_${index}` }));
  }
  const look = await reader.lookup(history, { id: 'P_NONE', notBefore: ground.now - 3_600_000 });
  t.is(look.outcome === 'unavailable' && look.retryAfterS, 55);
  t.is(exchange.asked.length, 60);
});
