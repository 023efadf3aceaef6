/** The SMS engine with the operator's own formats. It needs no store, and no home if there are none. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KashboxError } from '../../base/errors/errors.js';
import { createSmsEngine, loadFormatFile, type SmsEngine } from '../../channels/mfs/index.js';

/**
 * @param folder of the operator's format files (config/home, `formatsFolder`), read in the order of names.
 * @throws KashboxError `config_invalid` naming file and fault.
 */
export function loadSmsEngine(folder: string): SmsEngine {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
  const formats = names.sort().map((name) => {
    try {
      return loadFormatFile(JSON.parse(readFileSync(join(folder, name), 'utf8')));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : 'not readable';
      throw new KashboxError('config_invalid', { message: `SMS format ${name}: ${why}`, cause });
    }
  });
  return createSmsEngine(formats);
}
