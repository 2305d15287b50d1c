import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';

import { useActiveConnection } from '../api/active.tsx';
import { useApi } from '../api/ApiProvider.tsx';
import { asCordonError } from '../api/errors.ts';
import { Banner } from '../ui/Banner.tsx';
import { Button } from '../ui/Button.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { Dialog } from '../ui/Dialog.tsx';
import { SkeletonLines } from '../ui/Skeleton.tsx';
import styles from './RevealCode.module.css';

/** Shows the unlock code once. The reason is in the incident log; the code is nowhere but in this dialog. */
export function RevealCode({
  guid,
  reason,
  onClose,
}: {
  readonly guid: string;
  readonly reason: string;
  readonly onClose: () => void;
}) {
  const { queries } = useApi();
  const connection = useActiveConnection().id;
  const { mutate, data, error } = useMutation(queries.isolation.reveal.mutationOptions({ gcTime: 0 }));
  useEffect(() => mutate({ connection, guid, reason }), [mutate, connection, guid, reason]);
  return (
    <Dialog
      title="Unlock code"
      isOpen
      onClose={onClose}
      size="small"
      footer={
        <Button tone="primary" onPress={onClose}>
          Close
        </Button>
      }
    >
      {error === null ? null : <Banner tone="bad">{asCordonError(error).message}</Banner>}
      {data === undefined && error === null ? <SkeletonLines lines={1} label="Asking the service" /> : null}
      {data === undefined ? null : data.code === null ? (
        <p>The service has no unlock code for this computer.</p>
      ) : (
        <p className={styles['code']}>
          {data.code} <CopyButton text={data.code} what="unlock code" />
        </p>
      )}
      <p>It is shown once. The incident log keeps who asked and why, never the code.</p>
    </Dialog>
  );
}
