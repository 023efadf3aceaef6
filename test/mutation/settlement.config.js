import { configure } from './common.config.js';

const tests = ['settlement', 'claims', 'pushes', 'reviews', 'sms'];

export default configure('settlement', {
  mutate: ['src/actions/settlement/*.ts'],
  folders: [...tests.map((room) => `test/actions/${room}`), 'test/daemon/exchange-pay', 'test/daemon/bep20'],
  skip: '^postgres|^on PostgreSQL',
  // Each of them would cost the start of all these tests: docs/development/mutation.md.
  ignoreStatic: true,
});
