/** What instances do (route description, 4.3): what they send, and what the client must get of it. */
import { malformedAnswers, wellFormedAnswers } from './answers.ts';
import type { Step } from './origin.ts';

export interface UpstreamCase {
  readonly name: string;
  readonly method?: string;
  readonly answer: readonly Step[];
  /** With `isWhole: false` an answer that is cut short. */
  readonly status: number;
  readonly isWhole: boolean;
  readonly body?: string;
  readonly interim?: readonly number[];
  /** Lower-case names that must not arrive. */
  readonly absent?: readonly string[];
}

const fields = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n';
const ok = `${fields}\r\nok`;

function good(name: string, answer: readonly Step[], more: Partial<UpstreamCase> = {}): UpstreamCase {
  return { name, answer, status: 200, isWhole: true, body: 'ok', ...more };
}

function gateway(name: string, answer: readonly Step[], status = 502): UpstreamCase {
  return { name, answer, status, isWhole: true };
}

function cut(name: string, answer: readonly Step[], body: string): UpstreamCase {
  return { name, answer, status: 200, isWhole: false, body };
}

const own: readonly UpstreamCase[] = [
  gateway('accept and close', ['close']),
  gateway('accept and reset', ['reset']),
  gateway('half a head, then close', ['HTTP/1.1 200 OK\r\nContent-', 'close']),
  gateway('no answer', [], 504),
  gateway('half a head and no more', ['HTTP/1.1 200 OK\r\n'], 504),
  gateway('101 that nobody asked for', [
    'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
  ]),
  good(
    'byte by byte',
    ok.split('').flatMap((byte) => [byte, 1]),
  ),
  good('103, then 200', ['HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n', 20, ok], { interim: [103] }),
  good('100 that nobody asked for', ['HTTP/1.1 100 Continue\r\n\r\n', ok], { interim: [] }),
  good('102, then 200 in one piece', [`HTTP/1.1 102 Processing\r\n\r\n${ok}`], { interim: [102] }),
  good('204 with a body', ['HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'], { status: 204, body: '' }),
  good('HEAD with a body', [ok], { method: 'HEAD', body: '' }),
  good('extra bytes behind the answer', [`${ok}HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil`]),
  good(
    'fields of the connection',
    [`${fields}Connection: X-Secret, keep-alive\r\nX-Secret: 1\r\nKeep-Alive: 5\r\nUpgrade: x\r\nTrailer: y\r\n\r\nok`],
    { absent: ['x-secret', 'keep-alive', 'upgrade', 'trailer'] },
  ),
  good('head of 64 kB less a little', [`${fields}X: ${'a'.repeat(65_000)}\r\n\r\nok`]),
  good('trailers that nobody wants', [
    'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-T: 1\r\n\r\n',
  ]),
  cut('reset in the body', [`HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nok`, 30, 'reset'], 'ok'),
];

export const upstreamCases: readonly UpstreamCase[] = [
  ...own,
  ...malformedAnswers.map(({ name, bytes, where }) =>
    where === 'head' ? gateway(name, [bytes, 'close']) : cut(`body: ${name}`, [bytes, 20, 'close'], 'ab'),
  ),
  ...wellFormedAnswers.map(({ name, bytes, method, status, body, framing }) =>
    good(name, framing.kind === 'close' ? [bytes, 'close'] : [bytes], { method, status, body }),
  ),
];
