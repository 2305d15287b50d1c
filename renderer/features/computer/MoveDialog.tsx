import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { ComputerDetail } from '#shared/contract/contract.ts';
import type { GroupRow } from '#shared/model/group.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { useRun } from '../../commands/use-run.ts';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { ComboBox } from '../../ui/Select.tsx';
import { ChangeDialog } from './ChangeDialog.tsx';
import styles from './dialogs.module.css';

interface DialogProps {
  readonly detail: ComputerDetail;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

const longestList = 60;

/** Picks another group, shows before and after, and sends one request. */
export function MoveDialog({ detail, isOpen, onClose }: DialogProps) {
  const { row, groupPath } = detail;
  const { queries } = useApi();
  const connection = useActiveConnection();
  const announce = useAnnounce();
  const { data: groups = [] } = useQuery({
    ...queries.groups.list.queryOptions({ input: { connection: connection.id } }),
    enabled: isOpen,
  });
  const runner = useRun();
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState<string | null>(null);
  const target = groups.find((group) => group.guid === chosen);

  const close = () => {
    setTyped('');
    setChosen(null);
    runner.reset();
    onClose();
  };
  const send = async () => {
    if (target === undefined) return;
    const args = { connector_guid: row.guid, group_guid: target.guid };
    const result = await runner.run({ name: 'svc_move_computer', args });
    if (result === null) return;
    announce(result.message);
    close();
  };
  const choose = (guid: string) => {
    const group = groups.find((each) => each.guid === guid);
    if (group === undefined) return;
    setChosen(guid);
    setTyped(pathOf(group));
  };
  return (
    <ChangeDialog
      detail={detail}
      verb="Move"
      isOpen={isOpen}
      runner={runner}
      waits={whyNot(target, row.groupGuid)}
      onClose={close}
      onSend={() => void send()}
    >
      <ComboBox
        label="To the group"
        autoFocus
        isRequired
        input={typed}
        onInput={(text) => {
          setTyped(text);
          setChosen(groups.find((group) => pathOf(group) === text)?.guid ?? null);
        }}
        onChoose={choose}
        options={matching(groups, typed, chosen)}
        placeholder="Type a part of its name"
      />
      <dl className={styles['change']}>
        <dt>Group</dt>
        <dd>
          {groupPath.join(' ▸ ') || row.groupName} → {target === undefined ? '…' : pathOf(target)}
        </dd>
        <dt>Policy</dt>
        <dd>{row.policyName || '–'} → that of the new group, with the next heartbeat of the computer</dd>
      </dl>
    </ChangeDialog>
  );
}

function pathOf(group: GroupRow): string {
  return group.path.join(' ▸ ');
}

function matching(groups: readonly GroupRow[], typed: string, chosen: string | null) {
  const wanted = chosen === null ? typed.trim().toLowerCase() : '';
  return groups
    .filter((group) => pathOf(group).toLowerCase().includes(wanted))
    .slice(0, longestList)
    .map((group) => ({ value: group.guid, label: pathOf(group), detail: `${group.computers} computers` }));
}

function whyNot(target: GroupRow | undefined, present: string): string | null {
  if (target === undefined) return 'Choose the group first.';
  return target.guid === present ? 'The computer is in this group already.' : null;
}
