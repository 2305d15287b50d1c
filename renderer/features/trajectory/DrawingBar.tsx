import {Maximize2, Minus, Plus} from 'lucide-react'

import type {ReactNode, Ref} from 'react'

import {counted} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {IconButton} from '#ui/Button.tsx'
import {TextField, Switch} from '#ui/Field.tsx'
import {MoreMenu} from '#ui/Menu.tsx'
import type {Layout} from './layout.ts'
import styles from './Trajectory.module.css'
import {t} from './text.ts'

interface DrawingBarProps {
	layout: Layout
	extent: ReactNode
	/** With several computers: whether only shared files are shown. */
	shared: {only: boolean; onOnly: (only: boolean) => void} | null
	name: string
	nameField: Ref<HTMLInputElement>
	onName: (name: string) => void
	hideClean: boolean
	onHide: (hide: boolean) => void
	/** Below 1: closer; `null`: everything. */
	onZoom: (factor: number | null) => void
	onSavePicture: () => void
	onSaveTable: () => void
}

export function DrawingBar(props: DrawingBarProps) {
	const {layout, name, nameField, onName, hideClean, onHide, onZoom} = props
	const nothing = layout.points.length === 0 ? 'There is nothing to save.' : null
	return (
		<div className={styles.bar}>
			<TextField
				label={t.filterLanes}
				hideLabel
				type="search"
				inputRef={nameField}
				value={name}
				onChange={onName}
				placeholder={t.nameFile}
				className={styles.name}
			/>
			<Switch isSelected={hideClean} onChange={onHide}>
				{t.hideClean}
			</Switch>
			{props.shared !== null && (
				<>
					<Switch isSelected={props.shared.only} onChange={props.shared.onOnly}>
						{t.onlySharedFiles}
					</Switch>
					<span className="note">{t.moreThanOne(counted(layout.shared.size, nouns.file))}</span>
				</>
			)}
			{layout.hiddenLanes !== 0 && <span className="note">{t.hiddenOf(counted(layout.hiddenLanes, ['lane', 'lanes']))}</span>}
			<div className={styles.told}>
				<p className={styles.extent}>{props.extent}</p>
				<div className={styles.buttons}>
					<IconButton label={t.zoomIn} small onPress={() => onZoom(0.5)}>
						<Plus size={14} />
					</IconButton>
					<IconButton label={t.zoomOut} small onPress={() => onZoom(2)}>
						<Minus size={14} />
					</IconButton>
					<IconButton label={t.showFullTimeline} small onPress={() => onZoom(null)}>
						<Maximize2 size={13} />
					</IconButton>
					<MoreMenu
						label={t.chartActions}
						acts={[
							[t.saveImage, props.onSavePicture, nothing],
							[t.saveTable, props.onSaveTable, nothing]
						]}
					/>
				</div>
			</div>
		</div>
	)
}
