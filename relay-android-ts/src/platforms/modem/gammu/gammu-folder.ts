/**
 * The private folder of one modem: the configuration of gammu-smsd, its folders of SMS, and the two scripts
 * that it runs.
 *
 * Guaranteed: gammu (1.42) writes an SMS to `inbox/`, runs the script `receive` and waits for it, and only
 * then deletes the SMS from the SIM, whatever the script returns. The script checks that the file is
 * complete, syncs it to disk, moves it to `spool/`, and kills gammu if that fails. So after a full disk or a
 * power cut at any moment the SMS is on the SIM or in `spool/`. It may be in both; the copies are read as
 * equal SMS.
 *
 * Not guaranteed: the modem passes on a delivery report without storing it, so the report is lost if gammu
 * does not run at that moment. gammu cannot read stored reports either: at +CDSI it writes an empty file and
 * leaves the report in the modem.
 *
 * With files, gammu retries a failed SMS for ever (it ignores MaxRetries): the script `failure` moves the SMS
 * out of the outbox before that.
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
 * `spool/` contains complete SMS; `sent/` and `error/` contain outgoing SMS that gammu has processed;
 * `unreadable/` is for the user.
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

  /** Path of the journal of `DeliveredParts`. */
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
 * Command that runs a script. The `#` hides from the shell the arguments that gammu appends: a file name that
 * contains the sender's name, with which a sender could otherwise run commands.
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
 * `half`: incomplete file; the SMS is still in the modem and will be read again. `dialled`: answer of the
 * network to a dialled code, not an SMS. Neither is reported.
 */
export type Anomaly = 'half' | 'dialled' | 'sms' | 'pdu';

const TOLD = /-(sms|pdu)$/;

/**
 * Folder of files that gammu or this agent cannot read, for manual review. An SMS in it may be a payment, so
 * it is reported until a user moves the file away.
 */
export class Unreadable {
  constructor(private readonly path: string) {}

  /** Moves a file here. @returns false if the file no longer exists */
  async move(file: string, name: string, what: Anomaly): Promise<boolean> {
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
  put(name: string, content: Uint8Array | string, what: Anomaly): Promise<void> {
    return writeFileDurably(join(this.path, `${name}-${what}`), content);
  }

  /** One line for the user; null if there is nothing to review. */
  async problem(): Promise<string | null> {
    const names = await readdir(this.path).catch(() => []);
    const count = names.filter((name) => TOLD.test(name)).length;
    if (count === 0) return null;
    return `${count} SMS that cannot be read: look into ${this.path}, then move the files away`;
  }
}

/** Folder in gammu's inbox for sender names with slashes. A name is too short for enough `..` to leave it. */
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
