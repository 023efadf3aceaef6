/**
 * Plays a phone that sends: each SMS becomes a file of its own in a folder. `sender.json` in the folder plays
 * what may come of it: `{"fail":"why"}` nothing is sent, `{"delivered":true}` it is sent and delivered,
 * `{"hang":true}` it is sent and nobody is ever told.
 */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Dispatch, Sender, SendOutcome } from '../../core/ports.js';
import { readIfThere } from '../../ports/node-files.js';
import { parseJson } from './sms-json.js';

export class FolderSender implements Sender {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void> {
    const { fail, delivered, hang } = await this.#play();
    if (typeof fail === 'string') return tell({ state: 'FAILED', error: fail });
    await this.#write(dispatch);
    if (hang === true) return;
    tell({ state: 'SENT' });
    if (delivered === true) tell({ state: 'DELIVERED' });
  }

  close(): void {}

  async #play(): Promise<Record<string, unknown>> {
    const text = (await readIfThere(join(this.#folder, 'sender.json')))?.toString('utf8');
    const value = text === undefined ? undefined : parseJson(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  }

  /** One that is sent twice shows as two files. */
  async #write({ id, number, message, simSlot }: Dispatch): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    const name = encodeURIComponent(id);
    const before = (await readdir(this.#folder)).filter((file) => file.startsWith(`${name}.`)).length;
    const path = join(this.#folder, `${name}.${before + 1}.json`);
    await writeFile(`${path}.part`, `${JSON.stringify({ id, number, message, sim_slot: simSlot })}\n`);
    await rename(`${path}.part`, path);
  }
}
