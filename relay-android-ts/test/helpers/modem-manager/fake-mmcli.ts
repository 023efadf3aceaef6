/**
 * Plays mmcli 1.20.4, also where ModemManager or the modem fails: its JSON, its words on stderr, its exit
 * codes. The program is a shell script that hands each call to this process and ends with what it answers.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CreateSms } from '../../../src/platforms/modem/modem-manager/create-sms.js';

const ROOT = '/org/freedesktop/ModemManager1';

export interface FakeSms {
  text: string | null;
  number: string;
  timestamp: string | null;
  state: 'unknown' | 'receiving' | 'received' | 'sent';
  type: 'deliver' | 'submit' | 'status-report';
  storage: 'sm' | 'unknown';
  data?: string;
  reference?: number;
  deliveryState?: string;
}

export interface FakeModem {
  readonly imei: string;
  state: string;
  failedReason?: string;
  lock?: string;
  registration: string;
  port: string;
  /** By the number of the object. */
  readonly sms: Map<number, FakeSms>;
}

/** What a call comes to; `hang` for one that never ends. */
type Outcome = { readonly code: number; readonly text: string } | 'hang';

const scriptOf = (folder: string) => `#!/bin/sh
call='${folder}/call'.$$
printf '%s\\0' "$@" > "$call"
mkfifo "$call.answer"
echo $$ > '${folder}/calls'
exec 3< "$call.answer"
read -r code <&3
if [ "$code" = 0 ]; then exec cat <&3; fi
cat <&3 >&2
exit "$code"
`;

export class FakeModemManager {
  isRunning = true;
  /** By the number of their object, which no other modem gets later. */
  readonly modems = new Map<number, FakeModem>();
  /** Calls whose arguments match never end. */
  hangs: RegExp | null = null;
  /** Calls whose arguments match get no answer from ModemManager, and mmcli says so. */
  silence: RegExp | null = null;
  /** What sending says in place of success, in turn. */
  readonly refusals: string[] = [];
  /** The arguments of all calls, without the option for JSON. */
  readonly calls: string[] = [];
  /** What the next reset leads to. */
  onReset = (): void => {};
  private readonly folder = mkdtempSync(join(tmpdir(), 'fake-mmcli-'));
  private readonly pipe: Socket;
  private modemCount = 0;
  private smsCount = 0;
  private reference = 0;

  constructor() {
    mkdirSync(this.path);
    execFileSync('mkfifo', [join(this.folder, 'calls')]);
    writeFileSync(join(this.path, 'mmcli'), scriptOf(this.folder));
    chmodSync(join(this.path, 'mmcli'), 0o755);
    const fd = openSync(join(this.folder, 'calls'), constants.O_RDWR | constants.O_NONBLOCK);
    this.pipe = new Socket({ fd });
    let rest = '';
    this.pipe.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void this.play(Number(line));
    });
  }

  get path(): string {
    return join(this.folder, 'bin');
  }

  plug(imei: string, modem: Partial<FakeModem> = {}): FakeModem {
    const plugged = { imei, state: 'registered', registration: 'home', port: 'ttyUSB0 (at)', sms: new Map() };
    const whole: FakeModem = { ...plugged, ...modem };
    this.modems.set(this.modemCount, whole);
    this.modemCount += 1;
    return whole;
  }

  unplug(modem: FakeModem): void {
    for (const [index, one] of this.modems) if (one === modem) this.modems.delete(index);
  }

  /** Another run of ModemManager: it counts from 0 again. */
  restart(order: readonly FakeModem[]): void {
    const all = order.map((modem) => ({ modem, sms: [...modem.sms.values()] }));
    this.modems.clear();
    this.modemCount = this.smsCount = 0;
    for (const { modem, sms } of all) {
      modem.sms.clear();
      this.modems.set(this.modemCount, modem);
      this.modemCount += 1;
      for (const one of sms) if (one.storage === 'sm') this.add(modem, one);
    }
  }

  /** Returns the SMS as it lies in the modem; its fields may be changed. */
  receive(modem: FakeModem, text: string | null, sms: Partial<FakeSms> = {}): FakeSms {
    const fields = { number: 'bKash', timestamp: '2026-11-26T10:15:30+06', storage: 'sm' } as const;
    return this.add(modem, { ...fields, text, type: 'deliver', state: 'received', ...sms });
  }

  /** As the bus does it. */
  readonly createSms: CreateSms = async (object, number, text) => {
    const modem = this.modems.get(Number(object.slice(object.lastIndexOf('/') + 1)));
    if (!this.isRunning || modem === undefined) return { kind: 'not_running' };
    this.add(modem, { number, text, type: 'submit', state: 'unknown', storage: 'unknown', timestamp: null });
    return { kind: 'answered', stdout: `${ROOT}/SMS/${this.smsCount - 1}` };
  };

  close(): void {
    this.pipe.destroy();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private add(modem: FakeModem, sms: FakeSms): FakeSms {
    modem.sms.set(this.smsCount, sms);
    this.smsCount += 1;
    return sms;
  }

  private async play(pid: number): Promise<void> {
    const file = join(this.folder, `call.${pid}`);
    const args = readFileSync(file, 'utf8').split('\0').slice(0, -1);
    const words = args.filter((arg) => arg !== '-J' && !arg.startsWith('--timeout'));
    this.calls.push(words.join(' '));
    const outcome = this.answer(words);
    if (outcome === 'hang') return;
    // Until the program has opened its end, or was killed.
    while (existsSync(`/proc/${pid}`)) {
      try {
        const fd = openSync(`${file}.answer`, constants.O_WRONLY | constants.O_NONBLOCK);
        new Socket({ fd, readable: false }).on('error', () => {}).end(`${outcome.code}\n${outcome.text}\n`);
        return;
      } catch {
        await sleep(5);
      }
    }
  }

  private answer(words: readonly string[]): Outcome {
    if (this.silence?.test(words.join(' ')) === true)
      return fail("couldn't create manager: Timeout was reached");
    // A call that hangs may have had its effect.
    const outcome = this.outcome(words);
    return this.hangs?.test(words.join(' ')) === true ? 'hang' : outcome;
  }

  private outcome([option = '', object = '', action = '']: readonly string[]): Outcome {
    if (!this.isRunning) return fail("couldn't find the ModemManager process in the bus");
    if (option === '-L') {
      return json({ 'modem-list': [...this.modems.keys()].map((index) => `${ROOT}/Modem/${index}`) });
    }
    if (option === '-S') return done('successfully requested to scan devices');
    if (option === '-s') return this.ofSms(object, action);
    const modem = this.modems.get(Number(object.slice(object.lastIndexOf('/') + 1)));
    return modem === undefined ? fail("couldn't find modem") : this.ofModem(modem, object, action);
  }

  private ofModem(modem: FakeModem, object: string, action: string): Outcome {
    if (action === '') return json(modemJson(modem, object));
    if (action === '-e' || action === '-d') {
      modem.state = action === '-e' ? 'registered' : 'disabled';
      return done(`successfully ${action === '-e' ? 'enabled' : 'disabled'} the modem`);
    }
    if (action === '--reset') {
      this.onReset();
      return done('successfully reseted the modem');
    }
    if (['disabled', 'locked', 'failed'].includes(modem.state)) return fail('modem not enabled yet');
    if (action === '--messaging-list-sms') {
      const paths = [...modem.sms.keys()].reverse().map((index) => `${ROOT}/SMS/${index}`);
      return json({ 'modem.messaging.sms': paths });
    }
    const [name, value = ''] = action.split('=');
    if (name !== '--messaging-delete-sms') return fail('no actions specified');
    const index = Number(value.slice(value.lastIndexOf('/') + 1));
    if (modem.sms.delete(index)) return done('successfully deleted SMS from modem');
    return fail(`couldn't find SMS at '${value}': 'not found in any modem'`);
  }

  private ofSms(object: string, action: string): Outcome {
    const index = Number(object.slice(object.lastIndexOf('/') + 1));
    const sms = [...this.modems.values()]
      .map((modem) => modem.sms.get(index))
      .find((one) => one !== undefined);
    if (sms === undefined) return fail(`couldn't find SMS at '${object}': 'not found in any modem'`);
    if (action !== '--send') return json(smsJson(sms, object));
    const refusal = this.refusals.shift();
    if (refusal !== undefined) return fail(`couldn't send the SMS: '${refusal}'`);
    this.reference += 1;
    Object.assign(sms, { state: 'sent', reference: this.reference });
    return done('successfully sent the SMS');
  }
}

const fail = (message: string): Outcome => ({ code: 1, text: `error: ${message}` });
const done = (text: string): Outcome => ({ code: 0, text });
const json = (value: unknown): Outcome => ({ code: 0, text: JSON.stringify(value) });
const shown = (value: string | number | null | undefined): string =>
  value === null || value === undefined || value === 'unknown' ? '--' : String(value);

/** The fields that the real one prints and that matter here. */
function modemJson(modem: FakeModem, object: string): unknown {
  const { imei, state, registration, failedReason, lock, port } = modem;
  const generic = {
    'equipment-identifier': imei,
    manufacturer: 'huawei',
    model: 'E173',
    'own-numbers': [],
    ports: [port],
    revision: '11.126',
    'signal-quality': { recent: 'yes', value: '64' },
    sim: failedReason === 'sim-missing' ? '--' : `${ROOT}/SIM/0`,
    state,
    'state-failed-reason': shown(failedReason),
    'unlock-required': shown(lock),
  };
  return { modem: { '3gpp': { imei, 'registration-state': registration }, 'dbus-path': object, generic } };
}

function smsJson(sms: FakeSms, object: string): unknown {
  const { number, text, data, state, type, storage, timestamp, reference, deliveryState } = sms;
  return {
    sms: {
      content: { data: shown(data), number, text: shown(text) },
      'dbus-path': object,
      properties: {
        'delivery-state': shown(deliveryState),
        'message-reference': shown(reference === 0 ? null : reference),
        'pdu-type': type,
        smsc: type === 'submit' ? '--' : '+8801700000600',
        state: shown(state),
        storage: shown(storage),
        timestamp: shown(timestamp),
      },
    },
  };
}
