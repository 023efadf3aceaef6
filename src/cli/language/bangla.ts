/** Everything that is told in Bangla, by its English. A test fails on a sentence that is missing. */
import type { Translations } from '../../base/values/say.js';
import { DOCTOR_BN } from './doctor-bn.js';
import { SETUP_BN } from './setup-bn.js';
import { SHOPS_BN } from './shops-bn.js';

export const BANGLA: Translations = { ...DOCTOR_BN, ...SHOPS_BN, ...SETUP_BN };
