/** Loaded before everything else in a process with a planted fault, whose name is in its environment. */
import { register } from 'node:module';
import { PLANTED_FAULTS } from './faults.js';

const name = process.env.PLANTED_FAULT ?? '';
const fault = PLANTED_FAULTS.find((one) => one.name === name);
if (fault === undefined) throw new Error(`no planted fault is named "${name}"`);
register('./hooks.js', import.meta.url, { data: fault.changes });
