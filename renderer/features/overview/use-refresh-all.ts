import { useMutation } from '@tanstack/react-query';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';

/** Reads computers and events again. The frame and the store of events tell what came of it. */
export function useRefreshAll(): { readonly isRefreshing: boolean; refresh(): void } {
	const { client } = useApi();
	const { id: connection } = useActiveConnection();
	const { isPending, mutate } = useMutation({
		mutationFn: () =>
			Promise.allSettled([client.computers.refresh({ connection }), client.events.refresh({ connection })]),
	});
	return { isRefreshing: isPending, refresh: () => mutate() };
}
