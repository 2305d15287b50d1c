import {useState} from 'react'

import type {SavedView} from '#model/saved-view.ts'
import {ViewNameDialog} from '#commands/views/ViewNameDialog.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Menu, type MenuGroup} from '#ui/Menu.tsx'
import {Checkbox} from '#ui/Field.tsx'
import {t} from '../text.ts'
import type {Views} from './use-views.ts'

interface ViewsMenuProps {
	views: Views
	shown: () => SavedView
}

export function ViewsMenu({views, shown}: ViewsMenuProps) {
	const [isOpen, setOpen] = useState(false)
	const [edited, setEdited] = useState<{view: SavedView; isNew: boolean} | null>(null)
	useKey('computers.views', () => setOpen(true))
	const {all, current} = views
	const groups: readonly MenuGroup[] = [
		{
			title: 'Views',
			entries: [
				{id: 'open ', label: 'All computers', isChecked: current === undefined},
				...all.map(view => ({
					id: `open ${view.id}`,
					label: view.isDefault ? `${view.name} (opens first)` : view.name,
					detail: view.filter === '' ? 'no filter' : view.filter,
					isChecked: view.id === current?.id
				}))
			]
		},
		{
			title: 'What is shown',
			entries: [
				{id: 'new', label: 'Save as a view…', detail: 'filter, order and columns under a name'},
				...(current === undefined ? [] : [{id: 'edit', label: `Rename, pin or delete “${current.name}”…`}])
			]
		}
	]
	const act = (id: string) => {
		if (id === 'new') setEdited({view: shown(), isNew: true})
		else if (id === 'edit' && current !== undefined) setEdited({view: current, isNew: false})
		else views.open(all.find(view => `open ${view.id}` === id) ?? null)
	}
	return (
		<>
			<Menu label={t.views} groups={groups} onAction={act} isOpen={isOpen} onOpenChange={setOpen} />
			{edited !== null && (
				<ViewDialog
					{...edited}
					names={all.filter(({id}) => id !== edited.view.id).map(({name}) => name)}
					onSave={async view => {
						await views.save(view)
						if (edited.isNew) views.open(view)
					}}
					onRemove={views.remove}
					onClose={() => setEdited(null)}
				/>
			)}
		</>
	)
}

interface ViewDialogProps {
	view: SavedView
	isNew: boolean
	names: readonly string[]
	onSave: (view: SavedView) => Promise<unknown>
	onRemove: (id: string) => Promise<unknown>
	onClose: () => void
}

/** Name and place of a view; filter, order and columns are those of the list. */
function ViewDialog({view, isNew, names, onSave, onRemove, onClose}: ViewDialogProps) {
	const [pinned, setPinned] = useState(view.pinned)
	const [isDefault, setDefault] = useState(view.isDefault)
	return (
		<ViewNameDialog
			name={view.name}
			names={names}
			onSave={name => onSave({...view, name, pinned, isDefault})}
			onRemove={isNew ? null : () => onRemove(view.id)}
			onClose={onClose}
		>
			<p className="fact">
				{t.byColumns(
					view.filter === '' ? t.noFilter : t.filter(view.filter),
					view.sort.replaceAll('_', ' '),
					view.descending ? t.descending : '',
					view.columns.length
				)}
			</p>
			<Checkbox isSelected={pinned} onChange={setPinned}>
				{t.pinAboveList}
			</Checkbox>
			<Checkbox isSelected={isDefault} onChange={setDefault}>
				{t.applyWhenList}
			</Checkbox>
		</ViewNameDialog>
	)
}
