/** Runs one program for the build and test scripts. Needs no installed package. */
import { spawn } from 'node:child_process';
import { constants } from 'node:os';

/**
 * @param {string} command
 * @param {string[]} args
 * @param {import('node:child_process').SpawnOptions} [options] stdio defaults to our stderr for both streams,
 *   so that what a build prints never mixes with what the command itself answers on stdout
 * @returns {Promise<number>} its exit code; 128 + n when signal n ended it, 127 when it could not be started
 */
export function runChild(command, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ['ignore', 2, 2], ...options });
    const pass = (signal) => child.kill(signal);
    process.on('SIGINT', pass);
    process.on('SIGTERM', pass);
    const end = (code) => {
      process.off('SIGINT', pass);
      process.off('SIGTERM', pass);
      resolve(code);
    };
    child.on('error', (error) => {
      console.error(`${command}: ${error.message}`);
      end(127);
    });
    child.on('exit', (code, signal) => end(code ?? 128 + (constants.signals[signal] ?? 0)));
  });
}
