import type { RequestHead } from '../message-types.ts';

/** Stands for a head that could not be read. */
export const unreadable: RequestHead = {
  method: '',
  target: '',
  version: '1.1',
  authority: '',
  fields: [],
  framing: { kind: 'none' },
  connection: [],
  keepAlive: false,
  expectContinue: false,
  upgrade: null,
  wantsTrailers: false,
};
