import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useRef } from 'react';

import type { PolicyDetail } from '#shared/contract/directory.ts';

import { asCordonError } from '../../api/errors.ts';
import { productTitle } from '../../commands/directory/directory-words.ts';
import { useGroups, usePolicies } from '../../commands/directory/use-directory.ts';
import { NoteDialog } from '../../commands/NoteDialog.tsx';
import { useAnnounce } from '../../ui/Announcer.tsx';
import { CodeView } from '../../ui/CodeView.tsx';
import { writeClipboard } from '../../ui/CopyButton.tsx';
import { EmptyState, ScreenErrorState } from '../../ui/EmptyState.tsx';
import { Headline } from '../../ui/Headline.tsx';
import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { Link } from '../../ui/Link.tsx';
import { Screen } from '../../ui/Screen.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Tabs } from '../../ui/Toolbar.tsx';
import {
  AboutCard,
  EditedElsewhere,
  History,
  ListCards,
  Problem,
  ReadPolicy,
  usePolicyDetail,
  Vanished,
} from './PolicyParts.tsx';
import { policyTabs, type PolicySearch, type PolicyTab } from './search.ts';
import styles from './policies.module.css';
import { UsedByTab } from './UsedByTab.tsx';
import { XmlTab } from './XmlTab.tsx';
import { t } from './text.ts';

/** The page of one policy. */
export function PolicyScreen() {
  const { guid } = useParams({ from: '/policies/$guid' });
  const { data, error, refetch } = usePolicyDetail(guid.toLowerCase());
  const { state } = usePolicies();
  if (error !== null && data === undefined)
    return (
      <ScreenErrorState error={asCordonError(error)} title={t.couldNotLoadPolicy} onRetry={() => void refetch()} />
    );
  if (data === undefined || (data === null && (state === undefined || state.phase === 'loading')))
    return (
      <div className={styles['waiting']}>
        <SkeletonLines lines={10} label={t.loadingThePolicy} />
      </div>
    );
  if (data === null)
    return (
      <EmptyState title={t.policyNotKnown} action={<Link href="/policies">{t.backPolicies}</Link>}>
        {t.localDataNo(guid)}
      </EmptyState>
    );
  return <Policy key={data.row.guid} detail={data} />;
}

function Policy({ detail }: { readonly detail: PolicyDetail }) {
  const { row } = detail;
  const search = useSearch({ from: '/policies/$guid' });
  const navigate = useNavigate({ from: '/policies/$guid' });
  const change = (next: Partial<PolicySearch>) =>
    void navigate({ search: (old) => ({ ...old, ...next }), replace: true });
  const { items: groups = [] } = useGroups();
  const refreshButton = useRef<HTMLButtonElement>(null);
  usePolicyKeys({
    guid: row.guid,
    tab: (tab) => change({ tab }),
    compare: () => void navigate({ to: '/policies/compare', search: { a: row.guid } }),
    back: () => void navigate({ to: '/policies', search: { policy: row.guid } }),
    note: () => change({ act: 'note' }),
    focusRefresh: () => refreshButton.current?.focus(),
  });
  return (
    <Screen scrolls>
      <header className={styles['head']}>
        <Headline list={t.policies} href="/policies" name={row.name}>
          {row.isDefault ? <Tag>{t.default}</Tag> : null}
        </Headline>
        <p className={styles['note']}>
          {t.policyForOf(productTitle(row.product), row.serial === null ? '' : t.serial(row.serial))}
        </p>
        <div className={styles['actions']}>
          <ReadPolicy policy={row} buttonRef={refreshButton} />
          <Link href={`/policies/compare?a=${row.guid}`}>{t.compareWith}</Link>
          <EditedElsewhere />
        </div>
      </header>
      <Vanished policy={row} />
      <Problem policy={row} />
      <div className={styles['tabs']}>
        <Tabs
          label={t.aboutThisPolicy}
          selected={search.tab ?? 'used'}
          onSelect={(id) => change({ tab: policyTabs.find((each) => each === id) })}
          tabs={[
            { id: 'used', title: 'Used by', content: <UsedByTab policy={row} groups={groups} /> },
            {
              id: 'lists',
              title: 'Lists',
              content: (
                <div className={styles['part']}>
                  <ListCards policy={row} />
                </div>
              ),
            },
            {
              id: 'history',
              title: 'History',
              content: (
                <div className={styles['part']}>
                  <History detail={detail} />
                  <AboutCard policy={row} />
                </div>
              ),
            },
            { id: 'record', title: 'JSON', content: <CodeView value={detail.record} label={t.policyAsJson} /> },
            { id: 'xml', title: 'XML', content: <XmlTab guid={row.guid} /> },
          ]}
        />
      </div>
      {search.act === 'note' ? (
        <NoteDialog target={{ guid: row.guid, label: row.name }} onClose={() => change({ act: undefined })} />
      ) : null}
    </Screen>
  );
}

interface PolicyKeys {
  readonly guid: string;
  tab(tab: PolicyTab): void;
  compare(): void;
  back(): void;
  note(): void;
  focusRefresh(): void;
}

function usePolicyKeys(keys: PolicyKeys): void {
  const announce = useAnnounce();
  const copy = async () => announce((await writeClipboard(keys.guid)) ? 'GUID copied' : 'The GUID could not be copied');
  useKey('policy.tab1', () => keys.tab('used'));
  useKey('policy.tab2', () => keys.tab('lists'));
  useKey('policy.tab3', () => keys.tab('history'));
  useKey('policy.tab4', () => keys.tab('record'));
  useKey('policy.tab5', () => keys.tab('xml'));
  useKey('policy.groups', () => keys.tab('used'));
  useKey('policy.diff', keys.compare);
  useKey('policy.back', keys.back);
  useKey('policy.note', keys.note);
  useKey('policy.refresh', keys.focusRefresh);
  useKey('policy.copy', () => void copy());
}
