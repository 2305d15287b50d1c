/** Bytes that are nearly HTTP, the same for the same seed. */
import { malformedAnswers, wellFormedAnswers } from './answers.ts';
import { malformed } from './malformed.ts';
import { wellFormed } from './well-formed.ts';

/** Numbers from 0 up to below `below`. */
export type Random = (below: number) => number;

/** mulberry32: short, and good enough to pick bytes. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export function pick<T>(random: Random, list: readonly T[]): T {
  const one = list[random(list.length)];
  if (one === undefined) throw new Error('nothing to pick from');
  return one;
}

/** Where readers of HTTP are known to part ways. */
const telling = [
  '\r\n',
  '\n',
  '\r',
  '\0',
  ' ',
  '\t',
  '\x0b',
  '\x7f',
  '\xa0',
  ':',
  ';',
  ',',
  '_',
  '0',
  '\r\n\r\n',
  '0\r\n\r\n',
  '\r\n ',
  'Content-Length: 5\r\n',
  'Content-Length: 0\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Connection: close\r\n',
  'Connection: Content-Length\r\n',
  'Host: localhost\r\n',
  'Expect: 100-continue\r\n',
  'Upgrade: h2c\r\n',
  'GET /instance/execute/edl/smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n',
] as const;

function changed(text: string, random: Random): string {
  const at = random(text.length + 1);
  switch (random(5)) {
    case 0:
      return text.slice(0, at) + String.fromCharCode(random(256)) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + text.slice(at + 1 + random(4));
    case 2:
      return text.slice(0, at) + text.slice(at, at + random(40)) + text.slice(at);
    default:
      return text.slice(0, at) + pick(random, telling) + text.slice(at);
  }
}

function mutate(text: string, random: Random): string {
  let result = text;
  for (let left = random(3); left > 0; left--) result = changed(result, random);
  return result;
}

const short = 1500;
const requests = [...wellFormed, ...wellFormed, ...malformed]
  .map(({ bytes }) => bytes)
  .filter((text) => text.length < short);
const answers = [...wellFormedAnswers, ...malformedAnswers]
  .map(({ bytes }) => bytes)
  .filter((text) => text.length < short);

/** One to three requests, one behind the other, mostly changed somewhere. */
export function nearlyRequests(random: Random): string {
  return Array.from({ length: 1 + random(3) }, () => mutate(pick(random, requests), random)).join('');
}

export function nearlyAnswer(random: Random): string {
  return mutate(pick(random, answers), random);
}

/** The same bytes in up to five pieces. */
export function inPieces(text: string, random: Random): readonly Buffer[] {
  const bytes = Buffer.from(text, 'latin1');
  const ends = Array.from({ length: random(5) }, () => random(bytes.length + 1)).toSorted((a, b) => a - b);
  return [...ends, bytes.length].map((end, at) => bytes.subarray(ends[at - 1] ?? 0, end));
}
