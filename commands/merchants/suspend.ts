/** `kashbox merchants suspend` */
import { merchantStatus } from '../../src/cli/command/merchant-status.js';

export default merchantStatus('SUSPENDED', {
  summary: 'Suspend merchants.',
  description:
    'From the next request on their keys and phones get "account suspended". Claims from open checkout ' +
    'pages are saved and settle nothing. Nothing is deleted; "kashbox merchants activate" reactivates ' +
    'them.',
});
