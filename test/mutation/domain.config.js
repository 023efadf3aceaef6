import { configure } from './common.config.js';

export default configure('domain', {
  mutate: ['src/domain/**/*.ts'],
  folders: ['test/domain'],
  skip: '^$',
});
