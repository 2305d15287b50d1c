import type { ComputerDetail } from '#shared/contract/contract.ts';

import { KeyValue } from '../../ui/KeyValue.tsx';
import { Time } from '../../ui/Time.tsx';
import { Card } from '../../ui/Toolbar.tsx';

export function AboutCard({ detail }: { readonly detail: ComputerDetail }) {
  const { row, groupPath } = detail;
  return (
    <Card
      title="About"
      aside={
        <>
          read <Time at={row.readAt} focusable />
        </>
      }
    >
      <KeyValue
        facts={[
          { name: 'Group', value: groupPath.length === 0 ? row.groupName || '–' : groupPath.join(' ▸ ') },
          { name: 'Policy', value: row.policyName || '–' },
          { name: 'System', value: row.os || '–' },
          { name: 'Connector', value: row.connectorVersion || '–', mono: true },
          { name: 'Address', value: row.internalIps.join(', ') || '–', mono: true },
          { name: 'External', value: row.externalIp || '–', mono: true },
          { name: 'MAC', value: row.macs.join(', ') || '–', mono: true },
          { name: 'Installed', value: <Time at={row.installDate} form="exact" unknown="–" /> },
          { name: 'Last seen', value: <Time at={row.lastSeen} form="exact" unknown="never" /> },
        ]}
      />
    </Card>
  );
}
