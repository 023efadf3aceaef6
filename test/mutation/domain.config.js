import { configure } from './common.config.js';

export default configure('domain', {
  // The wallets have a run of their own.
  mutate: ['src/domain/**/*.ts', '!src/domain/wallets/**'],
  folders: ['test/domain'],
  skip: '^$',
});
