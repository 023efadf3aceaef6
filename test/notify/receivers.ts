/** Endpoints of shops as real servers, honest and otherwise, on one address of this machine. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';

export interface Receiver {
  readonly port: number;
  /** Connections that were made to it. */
  hits(): number;
}

const sockets = new Set<Socket>();

/** @param port any that is free unless told otherwise. */
async function listening(server: Server, host: string, port = 0): Promise<Receiver> {
  let hits = 0;
  server.on('connection', (socket: Socket) => {
    hits += 1;
    sockets.add(socket);
    // Being cut off is what most of these are for.
    socket.on('error', () => {}).on('close', () => sockets.delete(socket));
  });
  server.on('tlsClientError', () => {});
  server.listen(port, host);
  await once(server, 'listening');
  // The program ends when its work is done, not when its servers are closed.
  server.unref();
  return { port: (server.address() as AddressInfo).port, hits: () => hits };
}

export function httpsReceiver(host: string, tls: TlsOptions, answer: RequestListener): Promise<Receiver> {
  return listening(createHttpsServer(tls, answer), host);
}

export function httpReceiver(host: string, answer: RequestListener): Promise<Receiver> {
  return listening(createHttpServer(answer), host);
}

export function tcpReceiver(host: string, talk: (socket: Socket) => void, port = 0): Promise<Receiver> {
  return listening(createTcpServer(talk), host, port);
}

/** Speaks its own HTTP, or none, once the first bytes of a request are here. */
export function rawReceiver(host: string, tls: TlsOptions, talk: (socket: TLSSocket) => void) {
  const server = createTlsServer(tls, (socket) => {
    socket.on('error', () => {}).once('data', () => talk(socket));
  });
  return listening(server, host);
}

/**
 * Nobody connects to it in less than a second, as if it were on the other side of the world: its queue of
 * connections is full at first, and what the kernel drops it sends again only then.
 */
const FAR = `
import socket, sys, time
server = socket.create_server((sys.argv[1], 0), backlog=0)
fillers = [socket.socket() for _ in range(3)]
for filler in fillers:
    filler.setblocking(False)
    filler.connect_ex(server.getsockname())
print(server.getsockname()[1], flush=True)
time.sleep(0.6)
for filler in fillers:
    filler.close()
while True:
    caller, _ = server.accept()
    if caller.recv(65536):
        caller.sendall(b'HTTP/1.1 200 OK\\r\\ncontent-length: 3\\r\\n\\r\\nfar')
    caller.close()
`;

/** Plain HTTP, answers 200. @returns its port. */
export async function farReceiver(host: string): Promise<number> {
  const far = spawn('python3', ['-c', FAR, host], { stdio: ['ignore', 'pipe', 'inherit'] });
  process.once('exit', () => far.kill());
  far.unref();
  const [port] = (await once(far.stdout, 'data')) as [Buffer];
  far.stdout.destroy();
  return Number(port);
}

/** Writes as fast as it is read, for as long as somebody is there. @returns what counts the bytes. */
export function pourInto(socket: Socket, chunk: Buffer): () => number {
  let written = 0;
  const pour = () => {
    while (!socket.destroyed && socket.writable) {
      written += chunk.length;
      if (!socket.write(chunk)) return;
    }
  };
  socket.on('drain', pour);
  pour();
  return () => written;
}

/** Everybody who is still connected is cut off, so that the program can end. */
export function closeAll(): void {
  for (const socket of sockets) socket.destroy();
}
