/** What a scanner sees: QR codes in pictures, read by zbar, as Android apps read them. */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Owner } from '../programs/processes.js';
import { temporaryHome } from '../stores/engines.js';

/** @param picture a PNG, with anything around the codes. @returns their texts; empty if it finds none. */
export async function scan(t: Owner, picture: Buffer): Promise<string[]> {
  const file = join(await temporaryHome(t), 'seen.png');
  await writeFile(file, picture);
  const { stdout } = await promisify(execFile)('zbarimg', ['--quiet', '--raw', '-Sbinary=0', file]).catch(
    // So it reports a picture without a code.
    (error: { readonly code?: number; readonly stdout?: string }) => {
      if (error.code === 4) return { stdout: '' };
      throw error;
    },
  );
  return stdout.split('\n').filter((line) => line !== '');
}
