/** `kashbox merchants activate` */
import { merchantStatus } from '../../src/cli/command/merchant-status.js';

export default merchantStatus('ACTIVE', {
  summary: 'Reactivate suspended merchants.',
  description:
    'Their keys and phones work again from the next request on. What customers gave on the checkout page meanwhile, and what banks told, is settled; run it again if it was interrupted.',
});
