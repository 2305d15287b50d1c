import { useQuery } from '@tanstack/react-query';

import { entryKinds, surfaces } from '#shared/model/incident.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { useConnections } from '../../api/hooks.ts';
import { Select } from '../../ui/Select.tsx';
import { kindWords, surfaceWords } from './entry-words.ts';
import { allTenants, spans, type IncidentLogSearch, type Span } from './search.ts';
import { t } from './text.ts';

interface ConditionsProps {
	readonly search: IncidentLogSearch;
	readonly onChange: (next: Partial<IncidentLogSearch>) => void;
}

const any = 'any';

const spanWords: Readonly<Record<Span, string>> = {
	'1h': 'Last hour',
	'24h': 'Last 24 hours',
	'7d': 'Last 7 days',
	'30d': 'Last 30 days',
};

/** What, when, from where and on which connection; all of it lies in the address. */
export function Conditions({ search, onChange }: ConditionsProps) {
	const connections = useConnections() ?? [];
	const { queries } = useApi();
	const { data: people = [] } = useQuery(queries.log.people.queryOptions());
	return (
		<>
			<Select
				label={t.time}
				hideLabel
				value={search.within ?? any}
				onChange={(value) => onChange({ within: value === any ? undefined : value })}
				options={[
					{ value: any, label: 'Any time' } as const,
					...spans.map((span) => ({ value: span, label: spanWords[span] })),
				]}
			/>
			<Select
				label={t.kind}
				hideLabel
				value={search.kind ?? any}
				onChange={(value) => onChange({ kind: value === any ? undefined : value })}
				options={[
					{ value: any, label: 'Any kind' } as const,
					...entryKinds.map((kind) => ({ value: kind, label: kindWords[kind].word, detail: kind })),
				]}
			/>
			<Select
				label={t.from}
				hideLabel
				value={search.surface ?? any}
				onChange={(value) => onChange({ surface: value === any ? undefined : value })}
				options={[
					{ value: any, label: 'From anywhere' } as const,
					...surfaces.map((surface) => ({ value: surface, label: surfaceWords[surface] })),
				]}
			/>
			<Select
				label={t.person}
				hideLabel
				value={search.person ?? any}
				onChange={(value) => onChange({ person: value === any ? undefined : value })}
				options={[
					{ value: any, label: 'Anybody' },
					...withChosen(people, search.person).map((person) => ({ value: person, label: person })),
				]}
			/>
			{connections.length < 2 && search.connection === undefined ? null : (
				<Select
					label={t.connection}
					hideLabel
					value={search.connection ?? any}
					onChange={(value) => onChange({ connection: value === any ? undefined : value })}
					options={[
						{ value: any, label: 'This tenant' },
						{ value: allTenants, label: 'All tenants' },
						...connections.map(({ id, name }) => ({ value: id, label: name })),
					]}
				/>
			)}
		</>
	);
}

/** Somebody elsewhere left no entry here, and can be chosen from what he did. */
function withChosen(people: readonly string[], chosen: string | undefined): readonly string[] {
	return chosen === undefined || people.includes(chosen) ? people : [...people, chosen];
}
