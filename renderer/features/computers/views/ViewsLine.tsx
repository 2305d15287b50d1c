import type {SavedView} from '#model/saved-view.ts'

import {Failure} from '#commands/Failure.tsx'
import {Button} from '#ui/Button.tsx'
import {t} from '../text.ts'
import styles from './ViewsLine.module.css'
import type {Views} from './use-views.ts'

interface ViewsLineProps {
	views: Views
	onSave: (view: SavedView) => void
}

export function ViewsLine({views, onSave}: ViewsLineProps) {
	const {all, current, isChanged, open, error} = views
	const shown = all.filter(view => view.pinned || view.id === current?.id)
	if (shown.length === 0) return null
	return (
		<>
			<Failure error={error} />
			<div className={styles.line} role="toolbar" aria-label={t.pinnedViews}>
				<button type="button" className={styles.view} aria-pressed={current === undefined} onClick={() => open(null)}>
					{t.allComputers}
				</button>
				{shown.map(view => (
					<button
						key={view.id}
						type="button"
						className={styles.view}
						aria-pressed={view.id === current?.id}
						title={`${view.name}: ${view.filter === '' ? 'no filter' : view.filter}`}
						onClick={() => open(view)}
					>
						{view.name}
					</button>
				))}
				{current !== undefined && isChanged && (
					<>
						<span className="note" role="status">
							{t.changed}
						</span>
						<Button small onPress={() => onSave(current)}>
							{t.saveTo(current.name)}
						</Button>
						<Button small tone="quiet" onPress={() => open(current)}>
							{t.showAgain}
						</Button>
					</>
				)}
			</div>
		</>
	)
}
