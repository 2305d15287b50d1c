import { once } from 'node:events';
import { createServer } from 'node:http';
import { request } from 'node:https';
import { setImmediate } from 'node:timers/promises';

import { expect, test } from 'vitest';

import { startForwarder } from './server.ts';
import { configOf } from './testing/heads.ts';
import { testCredentials } from './tls/testing/credentials.ts';

const size = 256 << 20;
const piece = Buffer.alloc(1 << 18, 'cordon');
const growthAllowed = 60 << 20;

/** Serves `size` bytes, and swallows uploads. */
async function startInstance() {
  const server = createServer((incoming, outgoing) => {
    if (incoming.method === 'POST') {
      let length = 0;
      incoming.on('data', (chunk: Buffer) => (length += chunk.length));
      incoming.on('end', () => outgoing.end(String(length)));
      return;
    }
    outgoing.setHeader('Content-Length', size);
    let left = size / piece.length;
    const pour = (): void => {
      for (let goesOn = true; goesOn && left > 0; left -= 1) goesOn = outgoing.write(piece);
      if (left > 0) outgoing.once('drain', pour);
      else outgoing.end();
    };
    pour();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

async function start() {
  const { server, port } = await startInstance();
  const credentials = await testCredentials();
  const forwarder = await startForwarder({
    listen: { host: '127.0.0.1', port: 0 },
    config: configOf([{ name: 'edl', listenPort: port }]),
    credentials,
  });
  const at = {
    host: '127.0.0.1',
    port: forwarder.listen.port,
    ca: credentials.authority,
    path: '/instance/execute/edl/',
  };
  const stop = async (): Promise<void> => {
    await forwarder.stop(0);
    server.closeAllConnections();
    server.close();
  };
  return { at, stop };
}

/** The most that the process grew by while `work` ran. */
async function growthOf(work: Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
  await work;
  clearInterval(watch);
  return most - before;
}

test('a large download passes through a small memory', async () => {
  const { at, stop } = await start();
  const download = async (slowly: boolean): Promise<number> => {
    const [answer] = await once(request({ ...at, agent: false }).end(), 'response');
    let received = 0;
    for await (const chunk of answer) {
      received += chunk.length;
      // Slower than the instance: what is not read yet must wait there, not here.
      if (slowly) await setImmediate();
    }
    return received;
  };
  expect(await download(false)).toBe(size);
  expect(await growthOf(download(true).then((received) => expect(received).toBe(size)))).toBeLessThan(growthAllowed);
  await stop();
}, 30_000);

test('a large upload passes through a small memory', async () => {
  const { at, stop } = await start();
  const upload = async (): Promise<void> => {
    const sending = request({ ...at, method: 'POST', agent: false, headers: { 'Content-Length': size } });
    const answered = once(sending, 'response');
    for (let sent = 0; sent < size; sent += piece.length) {
      if (!sending.write(piece)) await once(sending, 'drain');
    }
    sending.end();
    const [answer] = await answered;
    answer.setEncoding('latin1');
    let text = '';
    for await (const chunk of answer) text += chunk;
    expect(text).toBe(String(size));
  };
  await upload();
  expect(await growthOf(upload())).toBeLessThan(growthAllowed);
  await stop();
}, 30_000);
