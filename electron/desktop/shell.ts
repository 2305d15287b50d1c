import { shell } from 'electron';

import { CordonError } from '#shared/contract/errors.ts';

import { mayOpenExternally } from './decisions.ts';

/** Opens a listed https address in the operator's browser; anything else is an error. */
export async function openExternal(url: string): Promise<void> {
  if (!mayOpenExternally(url)) throw new CordonError('usage', 'This address is not one that Cordon opens outside.');
  await shell.openExternal(url);
}
