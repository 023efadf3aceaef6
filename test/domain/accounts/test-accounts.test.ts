/** The accounts of a brand for tests: nobody can pay to them. */
import test from 'ava';
import { TEST_ACCOUNTS } from '../../../src/domain/accounts/test-accounts.js';

test('each wallet has one for each type that a merchant can have, each with its number', (t) => {
  t.deepEqual(
    TEST_ACCOUNTS.map(({ channel, type, number }) => `${channel} ${type} ${number}`),
    [
      'mfs_a personal 01000000011',
      'mfs_a agent 01000000012',
      'mfs_a payment 01000000013',
      'mfs_b personal 01000000021',
      'mfs_b agent 01000000022',
      'mfs_c personal 01000000031',
      'mfs_d personal 01000000041',
      'mfs_d agent 01000000042',
      'mfs_d payment 01000000043',
    ],
  );
});
