import { useRef, useState } from 'react';

import type { CommandResult } from '#shared/commands/result.ts';
import type { ComputerDetail } from '#shared/contract/contract.ts';
import type { NamedReference } from '#shared/contract/directory.ts';
import type { Agreement } from '#shared/model/guard.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useRun, type Runner } from '../use-run.ts';
import type { Moved, MoveRequest } from './types.ts';

export interface MoveProgress {
  readonly runner: Runner;
  readonly requestedAt: string | null;
  readonly accepted: { readonly at: string; readonly result: CommandResult; readonly moved: Moved } | null;
  /** Refresh after the service had accepted it. */
  readonly observed: {
    readonly at: string;
    readonly detail: ComputerDetail | null;
    readonly problem: string | null;
  } | null;
  /** Why nothing was sent, in a sentence. */
  readonly refused: string | null;
  readonly isChecking: boolean;
  send(
    request: MoveRequest,
    way: { readonly from: NamedReference; readonly to: NamedReference },
    agreement: Agreement,
  ): Promise<Moved | null>;
  /** Reads the computer again. */
  look(): void;
}

/** Sends one move, after a look where one is owed, and reads what came of it. */
export function useMove(): MoveProgress {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  const runner = useRun();
  const [requestedAt, setRequestedAt] = useState<string | null>(null);
  const [accepted, setAccepted] = useState<MoveProgress['accepted']>(null);
  const [observed, setObserved] = useState<MoveProgress['observed']>(null);
  const [refused, setRefused] = useState<string | null>(null);
  const [isChecking, setChecking] = useState(false);
  const guid = useRef('');

  const look = async () => {
    setChecking(true);
    const seen = await client.computers.refreshOne({ connection, guid: guid.current }).then(
      (detail) => ({ detail, problem: null }),
      (error: unknown) => ({ detail: null, problem: asCordonError(error).message }),
    );
    setChecking(false);
    setObserved({ at: new Date().toISOString(), ...seen });
  };
  /** What was moved by somebody else meanwhile is left where it is. */
  const check = async ({ undo, hostname }: MoveRequest): Promise<string | null> => {
    if (undo === undefined) return null;
    setChecking(true);
    try {
      const now = await client.computers.refreshOne({ connection, guid: guid.current });
      if (now === null) return `The service has no ${hostname} any more. Nothing was sent.`;
      const { groupGuid, groupName } = now.row;
      if (groupGuid === undo.to.guid) return null;
      return `${hostname} is no longer in ${undo.to.name}: someone has moved it to ${groupName}. Nothing was sent.`;
    } catch (error) {
      return `Could not load the current group of ${hostname}. Nothing was sent: ${asCordonError(error).message}`;
    } finally {
      setChecking(false);
    }
  };
  const send: MoveProgress['send'] = async (request, { from, to }, agreement) => {
    guid.current = request.guid;
    const refusal = await check(request);
    setRefused(refusal);
    if (refusal !== null) return null;
    setRequestedAt(new Date().toISOString());
    const args = { connector_guid: request.guid, group_guid: to.guid };
    const result = await runner.run({ name: 'svc_move_computer', args, agreement });
    if (result === null) return null;
    const at = new Date().toISOString();
    const moved: Moved = { guid: request.guid, hostname: request.hostname, from, to, at };
    setAccepted({ at, result, moved });
    void look();
    return moved;
  };
  return {
    ...{ runner, requestedAt, accepted, observed, refused, isChecking, send },
    look: () => void look(),
  };
}
