import { useMutation, useQuery } from '@tanstack/react-query';

import type { TargetRow } from '#shared/model/target.ts';

import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { Banner } from '../../ui/Banner.tsx';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { PlainTable } from '../../ui/PlainTable.tsx';
import { SkeletonLines } from '../../ui/Skeleton.tsx';
import { Time } from '../../ui/Time.tsx';
import { t } from './text.ts';

interface AboutProps {
	readonly row: TargetRow;
	readonly onClose: () => void;
}

export function RemoveDialog({ row, onClose, onDone }: AboutProps & { readonly onDone: () => void }) {
	const { client } = useApi();
	const { name } = row.definition;
	const remove = useMutation({ mutationFn: () => client.targets.remove({ target: row.id }), onSuccess: onDone });
	return (
		<Dialog
			title={t.removeNamed(name)}
			isOpen
			onClose={onClose}
			footer={
				<>
					<Button onPress={onClose}>{t.cancel}</Button>
					<Button tone="danger" onPress={() => remove.mutate()}>
						{t.removeTarget}
					</Button>
				</>
			}
		>
			<p>{t.removeTargetMeans}</p>
			{remove.error === null ? null : <Banner tone="bad">{asCordonError(remove.error).message}</Banner>}
		</Dialog>
	);
}

const shownMost = 100;

/** What the target refused for good. */
export function RefusedDialog({ row, onClose }: AboutProps) {
	const { queries } = useApi();
	const { data } = useQuery(queries.targets.refused.queryOptions({ input: { target: row.id, limit: shownMost } }));
	return (
		<Dialog
			title={t.refusedBy(row.definition.name)}
			size="large"
			isOpen
			onClose={onClose}
			footer={<Button onPress={onClose}>{t.close}</Button>}
		>
			{data === undefined ? (
				<SkeletonLines lines={3} label={t.refused} />
			) : (
				<PlainTable>
					<tbody>
						{data.map(({ at, source, id, reason }) => (
							<tr key={`${source} ${id}`}>
								<th scope="row">{id}</th>
								<td>{source === 'log' ? t.incidentLog : t.events}</td>
								<td>
									<Time at={at} />
								</td>
								<td>{reason}</td>
							</tr>
						))}
					</tbody>
				</PlainTable>
			)}
		</Dialog>
	);
}
