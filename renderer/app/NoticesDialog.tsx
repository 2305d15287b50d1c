import { useMutation, useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';

import { noticeTitles, type ShownNotice } from '#shared/model/notice.ts';

import { useApi } from '../api/ApiProvider.tsx';
import { asCordonError } from '../api/errors.ts';
import { Button } from '../ui/Button.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { EmptyState, ErrorState } from '../ui/EmptyState.tsx';
import { Link } from '../ui/Link.tsx';
import { SkeletonLines } from '../ui/Skeleton.tsx';
import { Tag } from '../ui/Tag.tsx';
import { Time } from '../ui/Time.tsx';
import styles from './Notices.module.css';

/** What the host told since it started, newest first. */
export function NoticesDialog({ onClose }: { readonly onClose: () => void }) {
  const { client, queries } = useApi();
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(queries.local.notices.queryOptions());
  const dismiss = useMutation({ mutationFn: (id: string | null) => client.local.dismissNotice({ id }) });
  const none = data === undefined || data.length === 0;
  return (
    <Dialog
      title="Notifications"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button
            onPress={() => {
              onClose();
              void navigate({ to: '/settings', search: { section: 'notices' } });
            }}
          >
            Notification settings
          </Button>
          <Button onPress={() => dismiss.mutate(null)} reason={none ? 'The list is empty.' : null}>
            Clear the list
          </Button>
          <Button tone="primary" onPress={onClose}>
            Done
          </Button>
        </>
      }
    >
      {error === null ? null : <ErrorState error={asCordonError(error)} onRetry={() => void refetch()} />}
      {data === undefined && error === null ? <SkeletonLines lines={4} label="Loading notifications" /> : null}
      {data?.length === 0 ? (
        <EmptyState title="No notifications">
          Problems that need action since Cordon started, such as overdue isolations, appear here.
        </EmptyState>
      ) : null}
      {none ? null : (
        <ul className={styles['list']} aria-label="Notifications">
          {data.map((notice) => (
            <NoticeLine key={notice.id} notice={notice} onOpen={onClose} onDismiss={() => dismiss.mutate(notice.id)} />
          ))}
        </ul>
      )}
    </Dialog>
  );
}

interface NoticeLineProps {
  readonly notice: ShownNotice;
  readonly onOpen: () => void;
  readonly onDismiss: () => void;
}

function NoticeLine({ notice, onOpen, onDismiss }: NoticeLineProps) {
  const { kind, at, title, body, open, recovered, quiet } = notice;
  return (
    <li className={styles['line']}>
      <div className={styles['head']}>
        <Tag tone={recovered ? 'ok' : 'warn'}>{recovered ? '✓ recovered' : '▲ action needed'}</Tag>
        <strong>{title}</strong>
        <Time at={at} />
      </div>
      <p className={styles['body']} title={noticeTitles[kind]}>
        {body}
        {quiet ? ' · desktop notification suppressed' : ''}
      </p>
      <div className={styles['acts']}>
        {open === null ? null : (
          <Link href={open} onPress={onOpen} aria-label={`Show: ${title}`}>
            Show
          </Link>
        )}
        <Button size="small" tone="quiet" onPress={onDismiss} aria-label={`Dismiss: ${title}`}>
          Dismiss
        </Button>
      </div>
    </li>
  );
}
