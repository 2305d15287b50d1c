import { useMutation } from '@tanstack/react-query';

import type { GroupNode } from '#shared/contract/directory.ts';
import { asSentence } from '#shared/sentence.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { calls } from '../../commands/directory/directory-words.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { unreadPolicies, type Known } from './group-diff.ts';
import { t } from './text.ts';

/** What has to be read to compare two groups whole, with its price; nothing where all of it is known. */
export function UnreadDetails({ both, known }: { readonly both: readonly GroupNode[]; readonly known: Known }) {
  const { client } = useApi();
  const { id: connection } = useActiveConnection();
  const groups = both.filter(({ policies }) => policies === null);
  const policies = unreadPolicies(both, known);
  const reading = useMutation({
    mutationFn: async () => {
      for (const { guid } of groups) await client.directory.groups.refreshOne({ connection, guid });
      for (const { guid } of policies) await client.directory.policies.refreshOne({ connection, guid });
    },
  });
  const names = [...groups, ...policies].map(({ name }) => name);
  if (names.length === 0) return null;
  return (
    <Banner
      tone="warning"
      action={
        <Button size="small" onPress={() => reading.mutate()} reason={reading.isPending ? t.loadingNow : null}>
          {t.loadOf(calls(names.length))}
        </Button>
      }
    >
      {t.detailsNotLoadedYet(
        names.join(' and '),
        reading.error === null ? '' : ` ${asSentence(asCordonError(reading.error).message)}`,
      )}
    </Banner>
  );
}
