import { useMutation, useQuery } from '@tanstack/react-query';

import type { EventView } from '#shared/contract/event-views.ts';

import { useActiveConnection } from '../../../api/active.tsx';
import { useApi } from '../../../api/ApiProvider.tsx';

export interface EventViews {
	readonly all: readonly EventView[];
	/** Rejects when it was not kept. */
	save(view: EventView): Promise<unknown>;
	remove(id: string): Promise<unknown>;
}

/** Saved views of this connection's events. */
export function useEventViews(): EventViews {
	const { queries, client, cache } = useApi();
	const { id: connection } = useActiveConnection();
	const { data: all = [] } = useQuery(queries.eventViews.list.queryOptions({ input: { connection } }));
	const keep = (views: readonly EventView[]) =>
		cache.setQueryData(queries.eventViews.list.queryKey({ input: { connection } }), views);
	const saving = useMutation({
		mutationFn: (view: EventView) => client.eventViews.save({ connection, view }),
		onSuccess: keep,
	});
	const removing = useMutation({
		mutationFn: (id: string) => client.eventViews.remove({ connection, id }),
		onSuccess: keep,
	});
	return { all, save: saving.mutateAsync, remove: removing.mutateAsync };
}
