/** A mail server that takes mails in TLS or with STARTTLS, refuses them, hangs, or talks rubbish. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { createSecureContext, createServer as createTlsServer, TLSSocket } from 'node:tls';
import type { Pair } from '../network/authority.js';

export interface MailServerOptions {
  readonly pair: Pair;
  /** TLS from the first byte on. */
  readonly isSecure?: boolean;
  /** Offers STARTTLS. */
  readonly hasStartTls?: boolean;
  readonly greeting?: string;
  /** Says nothing at all. */
  readonly isMute?: boolean;
  /** From this command on it says nothing any more. */
  readonly hangsIn?: string;
  /** What is answered after the mail, one for each. */
  readonly answers?: string[];
  /** The one password that is taken. */
  readonly password?: string;
}

export interface GotMail {
  readonly commands: string[];
  mail: string;
  isEncrypted: boolean;
}

export async function openMailServer(options: MailServerOptions) {
  const { pair, isSecure = false } = options;
  const got: GotMail[] = [];
  const sockets = new Set<Socket>();
  const listener = (socket: Socket) => {
    sockets.add(socket);
    const one: GotMail = { commands: [], mail: '', isEncrypted: isSecure };
    got.push(one);
    talk(socket, one, options);
  };
  const server = isSecure ? createTlsServer(pair, listener) : createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    got,
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

function talk(socket: Socket, one: GotMail, options: MailServerOptions): void {
  const { pair, hasStartTls = false, isMute = false, greeting = '220 mail.example.com ESMTP' } = options;
  let isData = false;
  let pending = '';
  socket.on('error', () => {});
  if (!isMute && one.commands.length === 0) socket.write(`${greeting}\r\n`);
  const onLine = (line: string): void => {
    if (isData) {
      if (line !== '.') one.mail += `${line}\n`;
      else {
        isData = false;
        socket.write(`${options.answers?.shift() ?? '250 taken'}\r\n`);
      }
      return;
    }
    one.commands.push(line);
    const verb = line.split(' ')[0]?.toUpperCase();
    if (verb === options.hangsIn) return;
    if (verb === 'EHLO') {
      const offers = hasStartTls && !one.isEncrypted ? ['STARTTLS'] : ['AUTH PLAIN'];
      socket.write(`250-mail.example.com\r\n250 ${offers[0]}\r\n`);
    } else if (verb === 'STARTTLS' && hasStartTls) {
      socket.write('220 go ahead\r\n');
      socket.removeAllListeners('data');
      one.isEncrypted = true;
      const secureContext = createSecureContext(pair);
      talk(new TLSSocket(socket, { isServer: true, secureContext }), one, { ...options, isMute: true });
    } else if (verb === 'AUTH') socket.write(authAnswer(line, options.password));
    else if (verb === 'DATA') {
      isData = true;
      socket.write('354 go on\r\n');
    } else if (verb === 'QUIT') socket.end('221 bye\r\n');
    else socket.write(/^(MAIL|RCPT|RSET|NOOP)$/.test(verb ?? '') ? '250 ok\r\n' : '502 what?\r\n');
  };
  socket.on('data', (chunk: Buffer) => {
    pending += chunk.toString('utf8');
    const lines = pending.split('\r\n');
    pending = lines.pop() ?? '';
    if (!isMute || one.commands.length > 0) for (const line of lines) onLine(line);
  });
}

/** A refusal repeats the password, as no good server would. */
function authAnswer(line: string, password: string | undefined): string {
  const given = Buffer.from(line.split(' ')[2] ?? '', 'base64')
    .toString('utf8')
    .split('\0')[2];
  return given === password ? '235 welcome\r\n' : `535 5.7.8 not with ${given}\r\n`;
}
