import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { DoorState } from '#shared/model/door.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { TextField } from '../../ui/Field.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Tag } from '../../ui/Tag.tsx';
import styles from './automation.module.css';
import { t } from './text.ts';

/** Whether it is on, where it answers, and a try. */
export function LocalApi() {
	const { queries, client } = useApi();
	const { id: connection } = useActiveConnection();
	const state = useQuery(queries.doors.state.queryOptions());
	const [port, setPort] = useState<string | null>(null);
	const set = useMutation({
		mutationFn: (on: boolean) => client.doors.set({ on, ...(port !== null && { port: Number(port) }) }),
		onSuccess: () => void state.refetch(),
	});
	const test = useMutation({ mutationFn: () => client.doors.test({ connection }) });
	const { data } = state;
	if (data === undefined) return <SkeletonLines lines={2} label={t.localApi} />;
	const isPort = port === null || /^\d{1,5}$/.test(port);
	const failed = set.error ?? test.error ?? state.error;
	return (
		<>
			<div className={styles['row']}>
				<Standing state={data} />
				{data.on ? null : (
					<TextField
						label={t.port}
						value={port ?? String(data.port ?? '')}
						onChange={setPort}
						error={isPort ? null : t.portNumber}
					/>
				)}
				<Button onPress={() => set.mutate(!data.on)} reason={isPort ? null : t.portNumber}>
					{data.on ? t.switchApiOff : t.switchApiOn}
				</Button>
				<Button onPress={() => test.mutate()} reason={data.address === null ? t.apiIsOff : null}>
					{t.testApi}
				</Button>
			</div>
			{test.data === undefined ? null : (
				<Banner tone={test.data.ok ? 'info' : 'bad'}>{t.testTook(test.data.message, test.data.durationMs)}</Banner>
			)}
			{data.problem === null ? null : <Banner tone="bad">{data.problem}</Banner>}
			{failed === null ? null : <Banner tone="bad">{asCordonError(failed).message}</Banner>}
		</>
	);
}

function Standing({ state: { on, address } }: { readonly state: DoorState }) {
	return (
		<p>
			<Tag tone={address === null ? (on ? 'warn' : 'plain') : 'ok'}>{on ? t.on : t.off}</Tag> {address}
		</p>
	);
}
