/** Whether a text continues the balances of a wallet, also while strangers send forged ones. */
import test from 'ava';
import { followsTrusted, type ReadText } from '../../../src/domain/balance-gaps/balance-link.js';

let count = 0;
/** @param balance after it, in taka; `paid` is negative where money went out. */
function text(atMinute: number, paid: number, balance: number): ReadText {
  count += 1;
  return {
    id: `sms_${count}`,
    body: '',
    kind: paid > 0 ? 'received' : 'outgoing',
    credit: paid > 0,
    amountPaisa: Math.abs(paid) * 100,
    feePaisa: 0,
    balancePaisa: balance * 100,
    trxId: `T${count}`,
    format: 'bkash',
    reasons: [],
    atMs: atMinute * 60_000,
  };
}

const received = text(1, 500, 2_500);
const isTrusted = (id: string) => id === received.id;
const follows = (last: ReadText, ...earlier: readonly ReadText[]) => followsTrusted(last, earlier, isTrusted);

test('a text follows from a trusted one through others, whatever their order in a minute', (t) => {
  const [one, two] = [text(2, -200, 2_300), text(2, -100, 2_200)];
  t.true(follows(text(3, -200, 2_000), received, two, one));
  t.false(follows(text(3, -200, 2_100), received, two, one), 'the balance before the last');
  t.false(follows(text(3, -200, 2_300), received, two, one), 'an older balance');
  t.false(follows(text(3, -200, 2_000), two, one), 'nothing is trusted');
});

test('forged texts between do not end the chain, alone or one after the other', (t) => {
  const sent = text(2, -200, 2_300);
  const forged = [text(2, -200, 9_700), text(3, -100, 9_600), text(3, 4_000, 13_600)];
  t.true(follows(text(3, -300, 2_000), received, sent, ...forged));
  t.false(
    follows(text(3, -100, 13_500), received, sent, ...forged),
    'forged texts follow from each other only',
  );
});

test('a genuine text is no end either if the one before it is missing, but what follows from it is', (t) => {
  const [afterGap, next] = [text(3, -100, 1_900), text(4, -100, 1_800)];
  t.false(follows(next, received, afterGap));
});
