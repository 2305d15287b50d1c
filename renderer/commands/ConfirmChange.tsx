import { useQuery } from '@tanstack/react-query';

import type { RawArgs } from '#shared/commands/arguments.ts';
import type { KnownCommand } from '#shared/commands/parse.ts';

import { useActiveConnection, useWriteRefusal } from '../api/active.tsx';
import { useApi } from '../api/ApiProvider.tsx';
import { Button } from '../ui/Button.tsx';
import { connectionTitle } from '../ui/connection-words.ts';
import { Dialog } from '../ui/Dialog.tsx';
import { KeyValue } from '../ui/KeyValue.tsx';
import { buttonWords, effectOf, shortId, targetArgument } from './effect.ts';
import { shownLine } from './masked.ts';
import { PreflightNotes, usePreflight } from './Preflight.tsx';

export interface ConfirmChangeProps {
  readonly spec: KnownCommand;
  readonly args: RawArgs;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
}

/** Asks before a typed change is sent. The focus is on *Cancel*, so that Enter sends nothing. */
export function ConfirmChange({ spec, args, onConfirm, onCancel }: ConfirmChangeProps) {
  const connection = useActiveConnection();
  const target = useTarget(spec, args);
  const refusal = useWriteRefusal();
  const action = preflightActions[spec.name];
  const preflight = usePreflight(only(args['connector_guid']) ?? '', action ?? 'isolate', action !== undefined);
  const { act, sentence } = effectOf(spec, target);
  return (
    <Dialog
      title={`${spec.title}?`}
      isOpen
      onClose={onCancel}
      tone="connection"
      role="alertdialog"
      footer={
        <>
          <Button autoFocus onPress={onCancel}>
            Cancel
          </Button>
          <Button tone="connection" lock={refusal} reason={preflight.refusal} onPress={onConfirm}>
            {buttonWords(act, connection)}
          </Button>
        </>
      }
    >
      <p>{sentence}</p>
      <KeyValue
        facts={[
          { name: 'Target', value: target },
          { name: 'Connection', value: connectionTitle(connection) },
          { name: 'Command', value: `!${shownLine(spec, args)}`, mono: true },
        ]}
      />
      {action === undefined ? null : <PreflightNotes view={preflight} />}
    </Dialog>
  );
}

/** Changes about which the service is asked first: whether they are possible now. */
const preflightActions: Readonly<Record<string, 'isolate' | 'release'>> = {
  svc_put_computers_isolation: 'isolate',
  svc_delete_computers_isolation: 'release',
};

/** The object as the operator knows it: host and group names from the local copy, else the id. */
function useTarget(spec: KnownCommand, args: RawArgs): string {
  const { queries } = useApi();
  const connection = useActiveConnection().id;
  const computer = only(args['connector_guid']);
  const group = spec.name === 'svc_set_group_policy' ? only(args['group_guid']) : null;
  const detail = useQuery(
    queries.computers.detail.queryOptions({ input: { connection, guid: computer ?? '' }, enabled: computer !== null }),
  );
  const groups = useQuery(queries.groups.list.queryOptions({ input: { connection }, enabled: group !== null }));
  const name = targetArgument(spec);
  const id = shortId(only(name === null ? undefined : args[name]) ?? 'the service');
  if (computer !== null) return detail.data?.row.hostname ?? id;
  return groups.data?.find((each) => each.guid === group)?.path.join(' ▸ ') ?? id;
}

function only(given: string | readonly string[] | undefined): string | null {
  if (given === undefined) return null;
  return typeof given === 'string' ? given : (given[0] ?? null);
}
