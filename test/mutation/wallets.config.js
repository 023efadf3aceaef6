import { configure } from './common.config.js';

export default configure('wallets', {
  mutate: ['src/domain/wallets/**/*.ts'],
  folders: ['test/domain/wallets', 'test/domain/accounts', 'test/channels/mfs'],
  // It builds Kashbox once more, with a fifth wallet.
  skip: '^an invented fifth wallet',
});
