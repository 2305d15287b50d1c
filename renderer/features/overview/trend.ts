/** The filter of the stored events that a path of the page shows; `null` for a path that shows something else. */
export function trendFilter(open: string): string | null {
	const { pathname, searchParams } = new URL(open, 'https://page.invalid');
	return pathname === '/events' ? searchParams.get('filter') : null;
}
