/** SMS engine with the operator's formats. Needs no store, and without such formats no home folder. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KashboxError } from '../../base/errors/errors.js';
import {
  clashOf,
  createSmsEngine,
  type FormatFile,
  loadFormatFile,
  type SmsEngine,
} from '../../channels/mfs/index.js';

/**
 * @param folder of the operator's format files (config/home, `formatsFolder`), read in the order of names.
 * @param onFault is called for each file that cannot be used, and the engine is made without it: for the
 * daemon, whose phones must not wait for the repair of one file.
 * @throws KashboxError without `onFault`: `config_invalid` naming the first such file and its fault.
 */
export function loadSmsEngine(folder: string, onFault?: (fault: KashboxError) => void): SmsEngine {
  const { formats, faults } = loadFormatFiles(folder);
  for (const fault of faults) {
    if (onFault === undefined) throw fault;
    onFault(fault);
  }
  return createSmsEngine(formats);
}

/**
 * @param without name of a file to leave out.
 * @returns the files that can be used, and a `config_invalid` for each that cannot.
 */
export function loadFormatFiles(
  folder: string,
  without?: string,
): { formats: FormatFile[]; faults: KashboxError[] } {
  const formats: FormatFile[] = [];
  const faults: KashboxError[] = [];
  const attempt = <T>(what: string, read: () => T): T | undefined => {
    try {
      return read();
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : 'not readable';
      const hint = 'Repair that file, or move it out of the folder; then restart the daemon.';
      faults.push(new KashboxError('config_invalid', { message: `${what}: ${why}`, hint, cause }));
    }
  };
  const names = existsSync(folder) ? attempt(`The folder ${folder}`, () => readdirSync(folder)) : [];
  for (const name of (names ?? []).filter((one) => one.endsWith('.json') && one !== without).sort()) {
    const path = join(folder, name);
    const format = attempt(`SMS format ${name}`, () => {
      const loaded = loadFormatFile(JSON.parse(readFileSync(path, 'utf8')));
      const clash = clashOf(loaded, formats);
      if (clash !== null) throw new Error(clash);
      return loaded;
    });
    if (format !== undefined) formats.push(format);
  }
  return { formats, faults };
}
