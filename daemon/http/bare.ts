/** Answers on a bare response, for requests that never reach the framework. */
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** In the form of every refusal. */
export function answerBare(response: ServerResponse, status: number, message: string): void {
  const body = JSON.stringify({ status: false, message });
  response
    .writeHead(status, {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
    })
    .end(body);
}
