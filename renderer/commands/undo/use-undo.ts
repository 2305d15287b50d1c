import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';

import type { CordonError } from '#shared/contract/errors.ts';
import type { UndoItem, UndoPreview, UndoResult } from '#shared/model/undo-list.ts';

import { useActiveConnection } from '../../api/active.tsx';
import { useApi } from '../../api/ApiProvider.tsx';
import { asCordonError } from '../../api/errors.ts';
import { useSettings } from '../../api/hooks.ts';
import { useUi } from '../../state/ui.tsx';

export interface UndoItems {
	/** `undefined` until the list was read. */
	readonly items: readonly UndoItem[] | undefined;
	readonly error: CordonError | null;
	retry(): void;
}

/** Changes of the last 24 hours, newest first. Each opening reads the log anew; no call is made for it. */
export function useUndoItems(): UndoItems {
	const { queries } = useApi();
	const { id: connection } = useActiveConnection();
	const { data, error, refetch } = useQuery({
		...queries.undo.list.queryOptions({ input: { connection } }),
		staleTime: 0,
		gcTime: 0,
	});
	return { items: data, error: error === null ? null : asCordonError(error), retry: () => void refetch() };
}

export interface UndoView {
	/** `undefined` while the present state is read. */
	readonly preview: UndoPreview | undefined;
	/** Why it could not be read. */
	readonly failed: CordonError | null;
	retry(): void;
	readonly isSending: boolean;
	/** What became of it; `null` before. */
	readonly result: UndoResult | null;
	readonly refused: CordonError | null;
	send(confirm: string): void;
}

/** One change: what would be sent to take it back, and whether things are still as it left them. */
export function useUndo(id: string): UndoView {
	const { client, queries } = useApi();
	const cache = useQueryClient();
	const { id: connection } = useActiveConnection();
	const { activeIncident: incident } = useSettings();
	const drop = useUi((ui) => ui.dropHashChange);
	const { data, error, isFetching, refetch } = useQuery({
		...queries.undo.preview.queryOptions({ input: { connection, id } }),
		// A state of a minute ago is no ground to act on.
		staleTime: 0,
		gcTime: 0,
	});
	const { mutate, isPending, ...sent } = useMutation({
		mutationFn: (confirm: string) => client.undo.apply({ connection, id, confirm, surface: 'screen', incident }),
		onSuccess: () => {
			drop(id);
			void cache.invalidateQueries({ queryKey: queries.undo.list.key() });
		},
	});
	return {
		preview: isFetching ? undefined : data,
		failed: error === null || isFetching ? null : asCordonError(error),
		retry: () => void refetch(),
		isSending: isPending,
		result: sent.data ?? null,
		refused: sent.error === null ? null : asCordonError(sent.error),
		send: (confirm) => mutate(confirm),
	};
}
