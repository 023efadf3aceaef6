/** `kashbox merchants activate` */
import { merchantStatus } from '../../src/cli/command/merchant-status.js';

export default merchantStatus('ACTIVE', {
  summary: 'Reactivate suspended merchants.',
  description:
    'Their keys and phones work again from the next request on. Claims and bank notifications that came ' +
    'in the meantime are settled now; if the command was interrupted, run it again.',
});
