import { useQuery } from '@tanstack/react-query';

import type { Connection } from '#shared/model/connection.ts';
import { useApi } from '../../api/ApiProvider.tsx';
import { useConnections, useFrame } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { InView } from '../../ui/InView.tsx';
import { ConnectionForm } from './ConnectionForm.tsx';
import { type Draft, twinOf } from './draft.ts';
import { TestResults } from './TestResults.tsx';
import { t } from './text.ts';
import type { FormState } from './use-connection-form.ts';
import type { DraftTest } from './use-test.ts';

interface DraftFieldsProps {
	readonly form: FormState;
	readonly draftTest: DraftTest;
	/** `null` for a new one. */
	readonly stored: Connection | null;
	readonly focus: 'name' | 'apiKey';
}

/** A connection as it is being entered: what to know before, its fields, what was refused, and how its test went. */
export function DraftFields({ form, draftTest: { test, problem }, stored, focus }: DraftFieldsProps) {
	const { draft, set, place, failure } = form;
	return (
		<>
			<FormNotes draft={draft} stored={stored} />
			<ConnectionForm {...{ place, draft, problem, stored, focus }} onChange={set} />
			{failure === null ? null : (
				<InView>
					<Banner tone="bad">{failure}</Banner>
				</InView>
			)}
			<TestResults test={test} />
		</>
	);
}

/** What is known before anything is saved: that no key can be kept, that there is such a connection already. */
function FormNotes({ draft, stored }: { readonly draft: Draft; readonly stored: Connection | null }) {
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
