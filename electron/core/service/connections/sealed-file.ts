/** Connections with their keys in one file that only its passphrase opens. */
import { randomBytes } from 'node:crypto';

import { z } from 'zod';

import { CordonError } from '#shared/contract/errors.ts';
import { proxyLoginSchema } from '#shared/model/connection.ts';
import { filedConnectionSchema, sealedFormat, shortestPassphrase } from '#shared/model/connections-file.ts';

import { derivePassphraseKey, seal, unseal } from '#core/base/sealing.ts';

/** A file travels, unlike the profile: guessing costs 128 MB and a good third of a second for each try. */
const cost = 2 ** 17;
const mostCost = 2 ** 18;
const purpose = 'cordon connections v1';
const name = 'connections';

const fileSchema = z.strictObject({
  format: z.literal(sealedFormat),
  version: z.literal(1),
  salt: z.base64().max(100),
  cost: z
    .int()
    .min(2 ** 15)
    .max(mostCost),
  sealed: z.base64().max(20_000_000),
});

const entrySchema = filedConnectionSchema.extend({
  apiKey: z.string().min(1).max(500),
  proxyLogin: proxyLoginSchema.nullable(),
});
export type SealedConnection = z.infer<typeof entrySchema>;

const contentSchema = z.array(entrySchema).max(200);

/** Throws `invalid_argument` for one that is too short to travel. */
export function checkPassphrase(passphrase: string): void {
  if (passphrase.length < shortestPassphrase)
    throw passphraseFault(
      `The passphrase needs at least ${shortestPassphrase} characters: the file leaves this computer.`,
    );
}

export async function sealConnections(connections: readonly SealedConnection[], passphrase: string): Promise<string> {
  const salt = randomBytes(16).toString('base64');
  const key = await derivePassphraseKey(passphrase, salt, cost);
  const sealed = seal({ key, purpose, name }, JSON.stringify(connections), randomBytes);
  return `${JSON.stringify({ format: sealedFormat, version: 1, salt, cost, sealed }, null, 2)}\n`;
}

/** Throws `invalid_argument`: no such file, or a passphrase that does not open it. Nothing is changed by either. */
export async function openSealed(text: string, passphrase: string): Promise<readonly SealedConnection[]> {
  const file = fileSchema.safeParse(parsed(text));
  if (!file.success)
    throw new CordonError('invalid_argument', 'This is not an encrypted connections file, or part of it is missing.', {
      field: 'text',
    });
  const key = await derivePassphraseKey(passphrase, file.data.salt, file.data.cost);
  const content = unseal({ key, purpose, name }, file.data.sealed);
  if (content === undefined)
    throw passphraseFault('The passphrase does not open this file, or the file was changed. Nothing was imported.');
  return contentSchema.parse(JSON.parse(content));
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function passphraseFault(message: string): CordonError {
  return new CordonError('invalid_argument', message, { field: 'passphrase' });
}
