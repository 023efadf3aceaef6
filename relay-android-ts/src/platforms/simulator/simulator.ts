/** A simulated phone: SMS come from a folder or from stdin, its state from a file in the folder. */
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type HealthReading, percentOf, UNKNOWN_HEALTH } from '../../core/health.js';
import type { Clock, Dispatch, Log, Platform, Sender, SendOutcome } from '../../core/ports.js';
import { fieldsOf, isCount, isObject, isText, oneOf, parseJson } from '../../core/shape.js';
import { textIfThere } from '../../ports/node-files.js';
import { FolderInbox, HEALTH_FILE } from './simulator-folder.js';
import { StdinInbox } from './simulator-stdin.js';

const HEALTH_EVERY_MS = 1_000;
const isNetwork = oneOf('wifi', 'mobile', 'none', 'unknown');

interface Folders {
  readonly inbox: string;
  readonly outbox: string;
}

/** Folders are made if they are missing. With `once` the inbox ends when its folder is empty. */
export function folderSimulator(folders: Folders, once: boolean, log: Log): Platform {
  let last = UNKNOWN_HEALTH;
  return {
    name: 'simulator',
    inbox: new FolderInbox(folders.inbox, once, log),
    sender: new FolderSender(folders.outbox),
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => {
      // A half-written file is not JSON; the state then stays as it was.
      last = parseHealth(parseJson((await textIfThere(join(folders.inbox, HEALTH_FILE))) ?? '')) ?? last;
      return last;
    },
  };
}

export function stdinSimulator(input: Readable, output: Writable, clock: Clock, log: Log): Platform {
  return {
    name: 'simulator',
    inbox: new StdinInbox(input, output, () => clock.now(), log),
    sender: null,
    surface: null,
    healthEveryMs: HEALTH_EVERY_MS,
    readHealth: async () => UNKNOWN_HEALTH,
  };
}

/** Unusable fields are unknown. Undefined if it is no object at all. */
function parseHealth(value: unknown): HealthReading | undefined {
  if (!isObject(value)) return undefined;
  const { battery, charging, network, sims } = value;
  const known = (Array.isArray(sims) ? sims.map(fieldsOf) : []).filter(({ slot }) => isCount(slot));
  return {
    battery: percentOf(battery),
    charging: typeof charging === 'boolean' ? charging : null,
    network: isNetwork(network) ? network : null,
    sims: known.map(({ slot, number }) => ({ slot: Number(slot), number: isText(number) ? number : null })),
  };
}

/**
 * Simulates sending: each SMS becomes a file in a folder, and is reported as FAILED, because a shop must not
 * believe that a customer got it. `sender.json` in the folder sets the result: `{"fail":"why"}` there is not
 * even a file, `{"hang":true}` nobody is ever told.
 */
class FolderSender implements Sender {
  constructor(private readonly folder: string) {}

  async send(dispatch: Dispatch, tell: (outcome: SendOutcome) => void): Promise<void> {
    const play = await textIfThere(join(this.folder, 'sender.json'));
    const { fail, hang } = fieldsOf(parseJson(play ?? ''));
    if (typeof fail === 'string') return tell({ state: 'FAILED', error: fail });
    await this.write(dispatch);
    if (hang === true) return;
    tell({ state: 'FAILED', error: 'simulated: no SMS was sent' });
  }

  close(): void {}

  /** One that is sent twice shows as two files. */
  private async write({ id, number, message, simSlot }: Dispatch): Promise<void> {
    await mkdir(this.folder, { recursive: true });
    const name = encodeURIComponent(id);
    const before = (await readdir(this.folder)).filter((file) => file.startsWith(`${name}.`)).length;
    const path = join(this.folder, `${name}.${before + 1}.json`);
    await writeFile(`${path}.part`, `${JSON.stringify({ id, number, message, sim_slot: simSlot })}\n`);
    await rename(`${path}.part`, path);
  }
}
