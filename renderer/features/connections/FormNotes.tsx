import { useQuery } from '@tanstack/react-query';

import type { Connection } from '#shared/model/connection.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { useConnections, useFrame } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { twinOf, type Draft } from './draft.ts';
import { t } from './text.ts';

/** What is known before anything is saved: that no key can be kept, that there is such a connection already. */
export function FormNotes({ draft, stored }: { readonly draft: Draft; readonly stored: Connection | null }) {
  const { data, refetch, isFetching } = useQuery(useApi().queries.app.info.queryOptions());
  const store = data?.secretStore;
  const twin = twinOf(draft, stored, useConnections() ?? []);
  return (
    <>
      {store?.available === false ? (
        <Banner
          tone="bad"
          action={
            <Button size="small" onPress={() => void refetch()} reason={isFetching ? t.checking : null}>
              {t.checkAgain}
            </Button>
          }
        >
          {t.keysCannot} {store.reason}
        </Banner>
      ) : null}
      {stored === null ? null : <RefusedKey id={stored.id} />}
      {twin === null ? null : <Banner tone="warning">{t.leadsSameService(twin.name)}</Banner>}
    </>
  );
}

function RefusedKey({ id }: { readonly id: string }) {
  const link = useFrame(id)?.link;
  if (link?.kind !== 'failing' || link.error.code !== 'unauthorized') return null;
  return <Banner tone="warning">{t.serviceRejects}</Banner>;
}
