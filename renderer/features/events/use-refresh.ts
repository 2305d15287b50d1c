import { useMutation } from '@tanstack/react-query';
import { useCallback } from 'react';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';

export interface EventsRefresh {
	readonly isRefreshing: boolean;
	/** Reads what is new, or what is missing of so many days. The store of events tells what came of it. */
	refresh(days?: number): void;
}

export function useRefresh(): EventsRefresh {
	const { client } = useApi();
	const { id: connection } = useActiveConnection();
	const { isPending, mutate } = useMutation({
		mutationFn: (days: number | null) =>
			client.events.refresh({ connection, ...(days === null ? {} : { days }) }).catch(() => undefined),
	});
	const refresh = useCallback((days?: number) => mutate(days ?? null), [mutate]);
	return { isRefreshing: isPending, refresh };
}
