import { useState } from 'react';

import type { EventView } from '#shared/contract/event-views.ts';

import { useKey } from '../../../ui/keys/KeyRegistry.tsx';
import { Menu, type MenuGroup } from '../../../ui/Menu.tsx';
import { t } from '../text.ts';
import type { EventsView } from '../use-question.ts';
import { EventViewDialog } from './EventViewDialog.tsx';
import { addressOf, describeView, everyEvent, isSame, shownBy, type Shown } from './event-view.ts';
import { useEventViews } from './use-event-views.ts';

/** Views of the events that were kept, and what can be done with the one that is shown. */
export function EventViewsMenu({ view: { search, filter, change } }: { readonly view: EventsView }) {
	const views = useEventViews();
	const [isOpen, setOpen] = useState(false);
	const [edited, setEdited] = useState<EventView | null>(null);
	useKey('events.views', () => setOpen(true));
	const shown = shownBy(search, filter.applied);
	const current = views.all.find((each) => isSame(each, shown));
	const open = (next: Shown) => {
		change(addressOf(next));
		filter.set(next.filter);
	};
	const act = (id: string) => {
		if (id === 'new') setEdited({ kind: 'events', id: crypto.randomUUID(), name: '', ...shown });
		else if (id === 'edit') setEdited(current ?? null);
		else open(views.all.find((each) => `open ${each.id}` === id) ?? everyEvent);
	};
	return (
		<>
			<Menu
				label={t.views}
				groups={groupsOf(views.all, shown, current)}
				onAction={act}
				isOpen={isOpen}
				onOpenChange={setOpen}
			/>
			{edited === null ? null : (
				<EventViewDialog
					view={edited}
					names={views.all.filter(({ id }) => id !== edited.id).map(({ name }) => name)}
					onSave={views.save}
					onRemove={views.all.includes(edited) ? () => views.remove(edited.id) : null}
					onClose={() => setEdited(null)}
				/>
			)}
		</>
	);
}

function groupsOf(all: readonly EventView[], shown: Shown, current: EventView | undefined): readonly MenuGroup[] {
	return [
		{
			title: 'Views',
			entries: [
				{ id: 'open ', label: 'All events', isChecked: isSame(shown, everyEvent) },
				...all.map((each) => ({
					id: `open ${each.id}`,
					label: each.name,
					detail: describeView(each),
					isChecked: each === current,
				})),
			],
		},
		{
			title: 'What is shown',
			entries:
				current === undefined
					? [{ id: 'new', label: 'Save as a view…', detail: 'filter, time and grouping under a name' }]
					: [{ id: 'edit', label: `Rename or delete “${current.name}”…` }],
		},
	];
}
