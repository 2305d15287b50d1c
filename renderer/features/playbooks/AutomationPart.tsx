import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';

import type { Automation, AutomationView } from '#shared/model/automation.ts';
import type { PlaybookSummary } from '#shared/model/playbook.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Link } from '../../ui/Link.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { Tag } from '../../ui/Tag.tsx';
import { Time } from '../../ui/Time.tsx';
import { AutomationDialog } from './AutomationDialog.tsx';
import styles from './playbooks.module.css';
import { t } from './text.ts';

const everyMs = 5000;

/** What starts playbooks by itself, what became of it last, and what was missed. */
export function AutomationPart({ playbooks }: { readonly playbooks: readonly PlaybookSummary[] }) {
	const { queries, client } = useApi();
	const [edited, setEdited] = useState<Automation['kind'] | null>(null);
	const { data = [], refetch } = useQuery({ ...queries.automation.list.queryOptions(), refetchInterval: everyMs });
	const act = useMutation({
		mutationFn: (work: () => Promise<unknown>) => work(),
		onSettled: () => void refetch(),
	});
	const toggle = ({ since: _since, next: _next, last: _last, ...one }: AutomationView): void =>
		act.mutate(() => client.automation.save({ ...one, enabled: !one.enabled }));
	return (
		<section className={styles['fields']} aria-label={t.schedulesAndRules}>
			<div className={styles['row']}>
				<h2>{t.schedulesAndRules}</h2>
				<Button size="small" onPress={() => setEdited('schedule')} aria-haspopup="dialog">
					{t.newSchedule}
				</Button>
				<Button size="small" onPress={() => setEdited('rule')} aria-haspopup="dialog">
					{t.newRule}
				</Button>
			</div>
			{act.error === null ? null : <Banner tone="bad">{asCordonError(act.error).message}</Banner>}
			{data.length === 0 ? (
				<p className={styles['dim']}>{t.noAutomation}</p>
			) : (
				<PlainTable>
					<tbody>
						{data.map((one) => (
							<tr key={one.id}>
								<th scope="row">{one.name}</th>
								<td>{one.kind === 'schedule' ? `${one.times} (${one.timeZone})` : one.filter}</td>
								<td>{playbooks.find(({ id }) => id === one.playbook)?.name ?? one.playbook ?? t.onlyNotify}</td>
								<td>
									{one.enabled ? null : <Tag tone="hold">{t.paused}</Tag>}
									{one.next === null ? null : (
										<>
											{t.next} <Time at={one.next} />
										</>
									)}
								</td>
								<td>
									<Last one={one} />
								</td>
								<td>
									<Button
										size="small"
										onPress={() => toggle(one)}
										aria-label={one.enabled ? t.pauseAutomation(one.name) : t.resumeAutomation(one.name)}
									>
										{one.enabled ? t.pause : t.resume}
									</Button>{' '}
									<Button
										size="small"
										onPress={() => act.mutate(() => client.automation.remove({ id: one.id }))}
										aria-label={t.deleteAutomation(one.name)}
									>
										{t.delete}
									</Button>
								</td>
							</tr>
						))}
					</tbody>
				</PlainTable>
			)}
			{edited === null ? null : (
				<AutomationDialog
					kind={edited}
					playbooks={playbooks}
					onClose={() => {
						setEdited(null);
						void refetch();
					}}
				/>
			)}
		</section>
	);
}

function Last({ one: { last } }: { readonly one: AutomationView }) {
	if (last === null) return null;
	const words = (
		<>
			{last.outcome} <Time at={last.at} />
		</>
	);
	return (
		<span title={last.message}>
			{last.run === null ? words : <Link href={`/playbooks/${last.run}`}>{words}</Link>}
			{last.outcome === 'missed' ? ` ${last.message}` : null}
		</span>
	);
}
