// @peculiar/x509 finds its parts by it.
import 'reflect-metadata';

import { get } from 'node:https';

import * as x509 from '@peculiar/x509';
import { expect, test } from 'vitest';

import { basic, benchStart } from './testing.ts';
import { startSandbox, type Sandbox } from './server.ts';

async function certificate(): Promise<{ readonly cert: string; readonly key: string }> {
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const made = await x509.X509CertificateGenerator.createSelfSigned({
    name: 'CN=127.0.0.1',
    keys,
    signingAlgorithm: algorithm,
    notBefore: new Date(benchStart - 86_400_000),
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [new x509.SubjectAlternativeNameExtension([{ type: 'ip', value: '127.0.0.1' }])],
  });
  const pkcs8 = await crypto.subtle.exportKey('pkcs8', keys.privateKey);
  return { cert: made.toString('pem'), key: x509.PemConverter.encode(pkcs8, 'PRIVATE KEY') };
}

function ask(sandbox: Sandbox, ca: string, path: string): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { authorization: basic(sandbox.clientId, sandbox.apiKey) };
  return new Promise((resolve, reject) => {
    const request = get(`${sandbox.url}${path}`, { ca, headers, agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk) => void (text += String(chunk)));
      response.on('end', () => resolve({ status: response.statusCode ?? 0, text })).on('error', reject);
    });
    request.on('error', reject);
  });
}

test('speaks HTTPS with the certificate given, and its links say so', async () => {
  const tls = await certificate();
  const sandbox = await startSandbox({ port: 0, computers: 20, tls });
  const { status, text } = await ask(sandbox, tls.cert, '/v1/version');
  expect(status).toBe(200);
  expect(text).toContain(`"self":"https://127.0.0.1:`);
  sandbox.weather.set(['GET /v1/version=reset', 'GET /v1/groups=drop']);
  await expect(ask(sandbox, tls.cert, '/v1/version')).rejects.toThrow();
  await expect(ask(sandbox, tls.cert, '/v1/groups')).rejects.toThrow();
  sandbox.weather.clear();
  expect((await ask(sandbox, tls.cert, '/v1/groups')).status).toBe(200);
  await sandbox.stop();
});
