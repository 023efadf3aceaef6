/** `kashbox merchants suspend` */
import { merchantStatus } from '../../src/cli/command/merchant-status.js';

export default merchantStatus('SUSPENDED', {
  summary: 'Suspend merchants.',
  description:
    'From the next request on all their keys are answered "account suspended", and their phones too. What customers give on an open checkout page is kept, and settles nothing. Nothing is deleted; "kashbox merchants activate" lets them in again.',
});
