/**
 * The private folder of one modem: the configuration of gammu-smsd, its folders of SMS, and the two scripts
 * that it runs.
 *
 * What is guaranteed: gammu (1.42) writes an SMS into `inbox/`, runs the script `receive` and waits for it,
 * and only then deletes the SMS from the SIM, whatever the script returns. The script sees whether the file
 * is whole, brings it to the disk, moves it to `spool/`, and kills gammu where that fails, so that a full
 * disk or a power cut at any moment leaves the SMS on the SIM or in `spool/`. It may be in both; the copies
 * come out equal.
 *
 * What is not guaranteed: a delivery report is handed over without being stored, and lost where gammu does
 * not run at that moment. gammu can read stored reports no better: at +CDSI it writes an empty file and
 * leaves the report where it is.
 *
 * gammu retries a failed SMS for ever with files (it ignores MaxRetries): the script `failure` takes it out
 * of its sight first.
 */

import { mkdir, readdir, rename, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RelayError } from '../../../core/errors.js';
import { hasCode, makeFolder, syncFolder, writeFileDurably } from '../../../ports/node-files.js';
import { asciiOfName } from './gsm7.js';
import type { PduFacts } from './pdu-facts.js';

interface GammuPlan {
  readonly device: string;
  /** Seconds that gammu waits for the network's answer to one part. */
  readonly sendSeconds: number;
}

/**
 * `spool/` has whole SMS; `sent/` and `error/` have what gammu has done with SMS of ours; `unreadable/` is
 * for people.
 */
const FOLDERS = ['inbox', 'spool', 'outbox', 'sent', 'error', 'unreadable'] as const;

export class GammuFolder {
  readonly config: string;
  /** Run by gammu when it has written an SMS. */
  readonly receiveScript: string;
  /** Run by gammu when an SMS could not be sent. */
  readonly failureScript: string;

  constructor(readonly path: string) {
    this.config = join(path, 'gammu-smsdrc');
    this.receiveScript = join(path, 'receive');
    this.failureScript = join(path, 'failure');
  }

  /** Which parts of long SMS the server has. */
  get deliveredParts(): string {
    return join(this.path, 'delivered-parts.journal');
  }

  of(name: (typeof FOLDERS)[number]): string {
    return join(this.path, name);
  }

  /** @throws RelayError where a path cannot be said in the configuration */
  check(plan: GammuPlan): void {
    // A shell reads this path.
    if (!/^[\w/.:+@,=-]+$/.test(this.path)) throw refusal('the home folder', this.path);
    if (/[^\x21-\x7e]|['"\\;#$`]/.test(plan.device)) throw refusal('the device file', plan.device);
  }

  /** @throws RelayError as `check`, and the system's error */
  async prepare(plan: GammuPlan): Promise<void> {
    this.check(plan);
    for (const name of FOLDERS) await makeFolder(this.of(name));
    await writeFileDurably(this.receiveScript, scriptOfReceive(this.path));
    await writeFileDurably(this.failureScript, scriptOfFailure(this.path));
    await writeFileDurably(this.config, configOf(this, plan));
  }
}

function refusal(what: string, path: string): RelayError {
  return new RelayError('invalid_input', `gammu-smsd cannot take ${what} with its signs: ${path}`);
}

/**
 * The `#` keeps what gammu appends from the shell: the name of a file, with the name of the sender in it, who
 * could else run commands here.
 */
const runOf = (script: string): string => `exec /bin/sh ${script} #`;

function configOf(folder: GammuFolder, { device, sendSeconds }: GammuPlan): string {
  return `[gammu]
device = ${device}
connection = at115200
atgen_setcnmi = 2,1,2,1,0

[smsd]
service = files
logfile = stdout
debuglevel = 255
checksecurity = 1
checkbattery = 0
receivefrequency = 1
commtimeout = 1
loopsleep = 1
statusfrequency = 30
sendtimeout = ${sendSeconds}
multiparttimeout = 0
hangupcalls = 0
inboxpath = ${folder.of('inbox')}/
outboxpath = ${folder.of('outbox')}/
sentsmspath = ${folder.of('sent')}/
errorsmspath = ${folder.of('error')}/
inboxformat = detail
transmitformat = auto
deliveryreport = sms
runonreceive = ${runOf(folder.receiveScript)}
runonfailure = ${runOf(folder.failureScript)}
`;
}

/** gammu is the parent, since it runs the script with `exec`; where it has ended, another process is. */
const KILL_GAMMU = `fail() {
  read -r parent < "/proc/$PPID/comm"
  [ "\${parent:-gammu-smsd}" = gammu-smsd ] && kill -9 "$PPID"
  exit 1
}`;

/**
 * gammu does not see that a disk is full: the file is then empty, or ends early. A name has no room for the
 * lines that are counted here.
 */
const IS_WHOLE = `is_whole() {
  begun=$(grep -c '^\\[SMSBackup[0-9]*\\]$' "$1") && [ "$begun" = "$(grep -c '^MessageReference = [0-9]*$' "$1")" ]
}`;

const scriptOfReceive = (folder: string): string => `${KILL_GAMMU}
${IS_WHOLE}
cd '${folder}' || fail
stamp=$(date +%s%N) || fail
if [ -d inbox/${ODD_FOLDER} ]; then
  flat='for file; do count=$((count + 1)); mv "$file" "inbox/odd-$$-$count" || exit 1; done'
  find inbox/${ODD_FOLDER} -type f -exec sh -c "$flat" sh {} + || fail
fi
count=100
for file in inbox/*; do
  [ -f "$file" ] || continue
  count=$((count + 1))
  is_whole "$file" && sync "$file" && mv "$file" "spool/$stamp-$$-$count" || fail
done
sync spool || fail
`;

const scriptOfFailure = (folder: string): string => `${KILL_GAMMU}
cd '${folder}' || fail
for file in outbox/OUT*.smsbackup; do
  [ -f "$file" ] || continue
  mv -f "$file" error/ || fail
done
`;

/**
 * `half` was not written to its end: it is still in the modem, and comes again. `dialled` is an answer of the
 * network to a code, and no SMS. Neither is told.
 */
export type Oddity = 'half' | 'dialled' | 'sms' | 'pdu';

const TOLD = /-(sms|pdu)$/;

/**
 * The folder of what gammu or this agent cannot read, for a person to look at. An SMS in it may be a payment,
 * so that it is told until somebody has moved it away.
 */
export class Unreadable {
  constructor(private readonly path: string) {}

  /** Moves a file here. False if it is not there any more. */
  async move(file: string, name: string, what: Oddity): Promise<boolean> {
    try {
      await rename(file, join(this.path, `${name}-${what}`));
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false;
      throw error;
    }
    await syncFolder(this.path);
    return true;
  }

  /** Resolves when it is on the disk. */
  put(name: string, content: Uint8Array | string, what: Oddity): Promise<void> {
    return writeFileDurably(join(this.path, `${name}-${what}`), content);
  }

  /** In one line; null where there is nothing to look at. */
  async problem(): Promise<string | null> {
    const names = await readdir(this.path).catch(() => []);
    const count = names.filter((name) => TOLD.test(name)).length;
    if (count === 0) return null;
    return `${count} SMS that cannot be read: look into ${this.path}, then move the files away`;
  }
}

/** Below gammu's inbox. A name has no room for so many `..` that it could leave it. */
const ODD_FOLDER = 'd';
const DEPTH = 8;

/** Makes sure that gammu can write an SMS with these facts below `inbox`. Most names need nothing. */
export async function makeRoomFor({ key, sender, senderType }: PduFacts, inbox: string): Promise<void> {
  if (senderType !== 'alphanumeric') return;
  const [stamp = ''] = key.split(' ', 1);
  const name = asciiOfName(sender.split('@', 1)[0] ?? '').replace(/\*/g, 'X');
  if (!name.includes('/')) return;
  const [first = '', ...others] = name.split('/').slice(0, -1);
  let folder = join(inbox, ...Array<string>(DEPTH).fill(ODD_FOLDER));
  await mkdir(folder, { recursive: true });
  const link = join(inbox, `IN20${stamp.slice(0, 6)}_${stamp.slice(6)}_00_${first}`);
  await symlink(folder, link).catch((error: unknown) => {
    if (!hasCode(error, 'EEXIST')) throw error;
  });
  for (const other of others) {
    folder = other === '..' ? dirname(folder) : join(folder, other);
    await mkdir(folder, { recursive: true });
  }
}
