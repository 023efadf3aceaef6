/** A GSM modem that speaks AT commands on a socket, as far as ModemManager asks them of one for SMS. */
import { createServer, type Server, type Socket } from 'node:net';
import { type Delivery, deliverPdus, reportPdu, type StatusReport, tpduLength } from '../modem/pdu.js';

const ANSWERS: Readonly<Record<string, string>> = {
  AT: '',
  'AT+CGMI': 'huawei',
  'AT+CGMM': 'E173',
  'AT+CGMR': '11.126',
  'AT+CIMI': '470010000000001',
  // The number of the SIM, without which ModemManager asks for three seconds.
  'AT+CRSM=176,12258,0,0,10': '+CRSM: 144,0,"98881000000000000010"',
  'AT+GCAP': '+GCAP: +CGSM,+DS,+ES',
  'AT+CREG?': '+CREG: 2,1,"00C3","0000AB01"',
  'AT+CGREG?': '+CGREG: 2,1,"00C3","0000AB01"',
  'AT+CREG=?': '+CREG: (0-2)',
  'AT+CFUN?': '+CFUN: 1',
  'AT+CSQ': '+CSQ: 20,99',
  'AT+CMGF=?': '+CMGF: (0,1)',
  'AT+CNMI=?': '+CNMI: (0-2),(0-3),(0,2),(0-2),(0,1)',
  'AT+CPMS=?': '+CPMS: ("SM"),("SM"),("SM")',
  'AT+CPMS?': '+CPMS: "SM",0,20,"SM",0,20,"SM",0,20',
  'AT+CSCS=?': '+CSCS: ("IRA","UCS2","GSM")',
  'AT+CSCS?': '+CSCS: "UCS2"',
  'AT+COPS?': '+COPS: 0,2,"47001",2',
  'AT+WS46=?': '+WS46: (12,22,25)',
};
const SETTINGS =
  /^AT(E0|V1|X4|Z|&|S0|\+(CMEE|CMGF|CNMI|CREG|CGREG|CSCS|CPMS|CFUN|COPS|CSMS|CGEREP|CUSD|CMER)=)/;

/** What sending leads to: a reference, a code of `+CMS ERROR`, or no answer at all. */
type SendResult = { readonly reference: number } | { readonly cms: number } | 'error' | 'silence';

export class AtModem {
  /** What was sent, as PDUs. */
  readonly sent: string[] = [];
  /** Results of the next parts; the references count up from 1 after them. */
  readonly results: SendResult[] = [];
  /** Answers that differ from those of a modem that works. */
  readonly answers: Record<string, string> = { 'AT+CPIN?': '+CPIN: READY' };
  private readonly stored = new Map<number, string>();
  private readonly sockets = new Set<Socket>();
  private server: Server | null = null;
  private reference = 0;
  private place = 0;

  constructor(readonly imei: string) {}

  /** @param path of the socket on which ModemManager finds it */
  async listen(path: string): Promise<void> {
    const server = createServer((socket) => {
      this.sockets.add(socket);
      let rest = '';
      socket.setEncoding('latin1').on('error', () => {});
      socket.on('close', () => this.sockets.delete(socket));
      socket.on('data', (text: string) => {
        rest = this.take(socket, rest + text);
      });
    });
    this.server = server;
    await new Promise<void>((resolve) => server.listen(path, resolve));
  }

  close(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server?.close();
  }

  /** How many SMS lie in its storage. */
  get size(): number {
    return this.stored.size;
  }

  /** Forgets what it has stored and sent. */
  empty(): void {
    this.stored.clear();
    this.sent.length = 0;
    this.results.length = 0;
    this.reference = 0;
  }

  /** An SMS arrives. */
  deliver(sms: Delivery): void {
    for (const pdu of deliverPdus(sms)) this.receive(pdu);
  }

  /** A part of an SMS arrives. */
  receive(pdu: string): void {
    this.place += 1;
    this.stored.set(this.place, pdu);
    this.say(`+CMTI: "SM",${this.place}`);
  }

  /** The network reports on a part. */
  report(report: StatusReport): void {
    const pdu = reportPdu(report);
    this.say(`+CDS: ${tpduLength(pdu)}\r\n${pdu}`);
  }

  /** Something that ModemManager has not asked for, or an answer that comes late. */
  say(text: string): void {
    for (const socket of this.sockets) socket.write(`\r\n${text}\r\n`);
  }

  /** Answers the commands in `text`; returns what is not complete. */
  private take(socket: Socket, text: string): string {
    let rest = text.replace(/^[\r\n]+/, '');
    for (;;) {
      // A PDU begins with the length of the number of the SMS centre, a command with AT.
      const end = /^[0-9A-F]{4}/.test(rest) ? rest.indexOf('\x1a') : rest.indexOf('\r');
      if (end < 0) return rest;
      const answer = this.answer(rest.slice(0, end).trim(), rest[end] === '\x1a');
      if (answer !== null) socket.write(answer);
      rest = rest.slice(end + 1).replace(/^[\r\n]+/, '');
    }
  }

  private answer(command: string, isPdu: boolean): string | null {
    if (isPdu) return this.send(command);
    if (command.startsWith('AT+CMGS=')) return '\r\n> ';
    const body = this.bodyOf(command);
    return body === null ? '\r\nERROR\r\n' : `${body === '' ? '' : `\r\n${body}\r\n`}\r\nOK\r\n`;
  }

  private bodyOf(command: string): string | null {
    const known = this.answers[command] ?? ANSWERS[command];
    if (known !== undefined) return known;
    if (command === 'AT+CGSN') return this.imei;
    if (command === 'AT+CMGL=4') {
      const lines = [...this.stored].map(([place, pdu]) => `+CMGL: ${place},1,,${tpduLength(pdu)}\r\n${pdu}`);
      return lines.join('\r\n');
    }
    const place = Number(/^AT\+CMG[RD]=(\d+)/.exec(command)?.[1]);
    const pdu = this.stored.get(place);
    if (command.startsWith('AT+CMGR=') && pdu !== undefined) return `+CMGR: 0,,${tpduLength(pdu)}\r\n${pdu}`;
    if (command.startsWith('AT+CMGD=')) return this.stored.delete(place) ? '' : null;
    return SETTINGS.test(command) ? '' : null;
  }

  private send(pdu: string): string | null {
    this.sent.push(pdu);
    this.reference = (this.reference + 1) % 256;
    const result = this.results.shift() ?? { reference: this.reference };
    if (result === 'silence') return null;
    if (result === 'error') return '\r\nERROR\r\n';
    if ('cms' in result) return `\r\n+CMS ERROR: ${result.cms}\r\n`;
    return `\r\n+CMGS: ${result.reference}\r\n\r\nOK\r\n`;
  }
}
