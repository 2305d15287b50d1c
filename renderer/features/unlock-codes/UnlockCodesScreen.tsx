import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { SealedCode } from '#shared/model/lease.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { RevealDialog } from '../../commands/guard/RevealDialog.tsx';
import { Button } from '../../ui/Button.tsx';
import { EmptyState, ErrorState } from '../../ui/EmptyState.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { ScreenBar } from '../../ui/Toolbar.tsx';
import styles from './UnlockCodesScreen.module.css';

const states: Readonly<Record<SealedCode['state'], { readonly word: string; readonly tone: 'ok' | 'warn' | 'plain' }>> =
  {
    in_use: { word: 'accepted by the service', tone: 'ok' },
    unknown: { word: 'nobody knows whether it was taken', tone: 'warn' },
    sealed: { word: 'sealed, not answered yet', tone: 'warn' },
  };

/** Unlock codes that lie sealed on this computer. They are listed and shown without the network. */
export function UnlockCodesScreen() {
  const { queries } = useApi();
  const { data, error, refetch } = useQuery({ ...queries.codes.list.queryOptions({ input: {} }), staleTime: 0 });
  const [revealing, setRevealing] = useState<SealedCode | null>(null);
  if (error !== null && data === undefined)
    return (
      <ErrorState error={asCordonError(error)} title="The vault could not be read" onRetry={() => void refetch()} />
    );
  return (
    <Screen>
      <ScreenBar
        title="Unlock codes"
        facts={data === undefined ? undefined : <span>{data.length} sealed on this computer</span>}
      />
      <div className={styles['scroll']}>
        {data === undefined ? (
          <SkeletonLines lines={6} label="Loading the vault" />
        ) : data.length === 0 ? (
          <EmptyState title="No code is sealed here" action={<Link href="/computers">Go to the computers</Link>}>
            Whoever isolates a computer with a random code, or one of their own, finds it here, even without the network
            and after the connection is gone. Codes made by the service are shown on the computer&apos;s own screen.
          </EmptyState>
        ) : (
          <Codes codes={data} onReveal={setRevealing} />
        )}
      </div>
      {revealing === null ? null : (
        <RevealDialog
          connection={revealing.connection}
          guid={revealing.guid}
          sealed={revealing.id}
          isOpen
          onClose={() => setRevealing(null)}
        >
          <p>
            <b>{revealing.label}</b> on {revealing.connectionName}
          </p>
        </RevealDialog>
      )}
    </Screen>
  );
}

interface CodesProps {
  readonly codes: readonly SealedCode[];
  readonly onReveal: (code: SealedCode) => void;
}

function Codes({ codes, onReveal }: CodesProps) {
  return (
    <table className={styles['table']}>
      <caption className={styles['caption']}>
        Each reveal needs a reason and is in the incident log. A computer keeps its newest three: the last one that the
        service took opens it.
      </caption>
      <thead>
        <tr>
          <th scope="col">Computer</th>
          <th scope="col">Connection</th>
          <th scope="col">Sealed</th>
          <th scope="col">Made</th>
          <th scope="col">State</th>
          <th scope="col">Code</th>
        </tr>
      </thead>
      <tbody>
        {codes.map((code) => (
          <tr key={code.id}>
            <th scope="row">
              <Link href={`/computers/${code.guid}`}>{code.label}</Link>
            </th>
            <td>{code.connectionName}</td>
            <td>
              <Time at={code.at} />
            </td>
            <td>{code.made === 'generated' ? 'random' : 'by hand'}</td>
            <td>
              <Tag tone={states[code.state].tone}>{states[code.state].word}</Tag>
            </td>
            <td>
              <span role="img" aria-label="hidden">
                ••••••••
              </span>{' '}
              <Button
                size="small"
                onPress={() => onReveal(code)}
                aria-haspopup="dialog"
                aria-label={`Reveal the code of ${code.label}`}
              >
                Reveal…
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
