/**
 * Runs anvil for the demo: a Node program around it, which ends it when it is ended itself. Anvil would not
 * notice that the demo was killed. Its arguments are the program and anvil's own.
 */
import { spawn } from 'node:child_process';

const [, , program = '', ...args] = process.argv;
const anvil = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'] });
process.once('SIGTERM', () => anvil.kill('SIGTERM'));
anvil.once('error', (error) => {
  process.stderr.write(`Error: ${error.message}\n`);
  process.exit(1);
});
anvil.once('exit', (code, signal) => process.exit(signal === 'SIGTERM' ? 0 : (code ?? 1)));
