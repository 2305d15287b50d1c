import { useRouterState } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';

import { keepFocus } from '../ui/list-of-screen.ts';

/**
 * Going elsewhere, or to another view of an object, takes away what had the focus. Where the new one takes it nowhere, it would lie at the top of the
 * window, and Tab would go through the whole frame again: then it is put on the screen's list, or on the screen.
 */
export function useFocusKept(): void {
	const place = useRouterState({ select: (state) => state.resolvedLocation?.href });
	const before = useRef(place);
	useEffect(() => {
		if (before.current === place) return undefined;
		const isFirst = before.current === undefined;
		before.current = place;
		// A screen takes the focus with its first frame.
		const wait = isFirst ? undefined : setTimeout(keepFocus, 50);
		return () => clearTimeout(wait);
	}, [place]);
}
