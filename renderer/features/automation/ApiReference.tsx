import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { ApiOperation } from '#shared/model/door.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useSettings } from '../../api/hooks.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { CodeView } from '../../ui/CodeView.tsx';
import { TextField } from '../../ui/Field.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Select } from '../../ui/Select.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import styles from './automation.module.css';
import { t } from './text.ts';

/** What stands beside the arguments of a command. */
const notArguments = new Set(['connection', 'incident', 'all', 'wait']);

const addressOf = (path: string): string => `/api/v1${path}`;

/** Every operation of the local API. Those that read can be tried here: the page asks as it always does, without a token. */
export function ApiReference() {
	const { queries } = useApi();
	const { data } = useQuery(queries.doors.reference.queryOptions());
	if (data === undefined) return <SkeletonLines lines={4} label={t.apiReference} />;
	return (
		<>
			<PlainTable>
				<tbody>
					{data.map(({ id, method, path, summary }) => (
						<tr key={id}>
							<th scope="row">{method}</th>
							<td>{addressOf(path)}</td>
							<td>{summary}</td>
						</tr>
					))}
				</tbody>
			</PlainTable>
			<Try operations={data.filter(({ scope, id }) => scope === 'read' && id.startsWith('svc_'))} />
		</>
	);
}

function Try({ operations }: { readonly operations: readonly ApiOperation[] }) {
	const { client } = useApi();
	const { id: connection } = useActiveConnection();
	const { activeIncident: incident } = useSettings();
	const [id, setId] = useState(operations[0]?.id ?? '');
	const [values, setValues] = useState<Readonly<Record<string, string>>>({});
	const chosen = operations.find((one) => one.id === id);
	const fields = (chosen?.parameters ?? []).filter(({ name }) => !notArguments.has(name));
	const ask = useMutation({
		mutationFn: () => {
			const given = fields.map(({ name }) => [name, values[name] ?? ''] as const).filter(([, value]) => value !== '');
			const input = { connection, name: id, args: Object.fromEntries(given), incident, surface: 'screen' as const };
			return client.commands.run({ ...input, run: crypto.randomUUID() });
		},
	});
	return (
		<>
			<div className={styles['row']}>
				<Select
					label={t.operation}
					options={operations.map(({ id: value, method, path }) => ({ value, label: `${method} ${path}` }))}
					value={id}
					onChange={setId}
				/>
				{fields.map(({ name, summary }) => (
					<TextField
						key={`${id} ${name}`}
						label={name}
						description={summary}
						value={values[name] ?? ''}
						onChange={(value) => setValues((old) => ({ ...old, [name]: value }))}
					/>
				))}
				<Button onPress={() => ask.mutate()}>{t.tryOperation}</Button>
			</div>
			{ask.error === null ? null : <Banner tone="bad">{asCordonError(ask.error).message}</Banner>}
			{ask.data === undefined ? null : <CodeView value={ask.data} label={t.answerOfOperation} />}
		</>
	);
}
