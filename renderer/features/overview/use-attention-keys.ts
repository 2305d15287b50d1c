import type { AttentionItem } from '#shared/contract/sight.ts';

import { useKey } from '../../ui/keys/KeyRegistry.tsx';
import { useOpen } from './use-open.ts';

/** 1 to 9 open the lines in their order. */
export function useAttentionKeys(items: readonly AttentionItem[]): void {
	const go = useOpen();
	const open = (index: number) => () => {
		const item = items[index];
		if (item !== undefined) go(item.open);
	};
	useKey('overview.open1', open(0), items.length > 0);
	useKey('overview.open2', open(1), items.length > 1);
	useKey('overview.open3', open(2), items.length > 2);
	useKey('overview.open4', open(3), items.length > 3);
	useKey('overview.open5', open(4), items.length > 4);
	useKey('overview.open6', open(5), items.length > 5);
	useKey('overview.open7', open(6), items.length > 6);
	useKey('overview.open8', open(7), items.length > 7);
	useKey('overview.open9', open(8), items.length > 8);
}
