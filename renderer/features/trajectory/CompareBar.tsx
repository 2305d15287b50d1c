import {useRef, useState} from 'react'

import type {ComputerRow} from '#model/computer.ts'

import {useAskedHere} from '#api/hooks.tsx'
import {Button} from '#ui/Button.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {Reason} from '#ui/States.tsx'
import {ComboBox} from '#ui/Select.tsx'
import {Chip} from '#ui/Tag.tsx'
import {Time} from '#ui/Time.tsx'
import {mostCompared} from './search.ts'
import styles from './Trajectory.module.css'
import {UnderwayLine} from './UnderwayLine.tsx'
import {t} from './text.ts'
import type {Compared} from './use-compared.ts'

interface CompareBarProps {
	row: ComputerRow
	compared: readonly Compared[]
	onChange: (guids: readonly string[]) => void
}

/** Other computers on the same time axis: each is loaded separately, at its own cost. */
export function CompareBar({row, compared, onChange}: CompareBarProps) {
	const guids = compared.map(({guid}) => guid)
	const [isOpen, setOpen] = useState(compared.length > 0)
	useKey('trajectory.compare', () => setOpen(true))
	if (!isOpen && compared.length === 0)
		return (
			<Button small className={styles.compareButton} onPress={() => setOpen(true)} tooltip={t.putsOtherComputers}>
				{t.compareWith}
			</Button>
		)
	return (
		<div className={styles.compare} role="group" aria-label={t.comparedComputers}>
			<Chip tone="accent">{row.hostname}</Chip>
			{compared.map(other => (
				<Other key={other.guid} other={other} onRemove={() => onChange(guids.filter(guid => guid !== other.guid))} />
			))}
			{compared.length >= mostCompared ? (
				<span className="note">{t.noMoreThan(mostCompared)}</span>
			) : (
				<AddComputer taken={[row.guid, ...guids]} onAdd={guid => onChange([...guids, guid])} />
			)}
			{compared.length <= 0 && (
				<Button small onPress={() => setOpen(false)}>
					{t.cancel}
				</Button>
			)}
		</div>
	)
}

function Other({other, onRemove}: {other: Compared; onRemove: () => void}) {
	const {hostname, trajectory, underway, error, read} = other
	const isReading = underway !== null
	const chip = useRef<HTMLSpanElement>(null)
	return (
		<span className={styles.other} ref={chip}>
			<Chip onRemove={onRemove} removeLabel={t.removeTimeline(hostname)}>
				{hostname}
			</Chip>
			{trajectory !== null && trajectory !== undefined && (
				<span className="note">
					{t.loaded(trajectory.points.length === 0 ? t.noEvents : '')} <Time at={trajectory.readAt} focusable />
				</span>
			)}
			{error !== null && (
				<span className="fails" role="alert">
					<Reason error={error} />
				</span>
			)}
			{trajectory !== null && trajectory !== undefined && error === null ? null : (
				<Button
					small
					onPress={read}
					reason={isReading || trajectory === undefined ? t.loadingNow : null}
					aria-label={t.forTheTrajectory(isReading ? t.loadingNow : t.load1Call, hostname)}
				>
					{isReading ? t.loadingNow : t.load1Call}
				</Button>
			)}
			{underway !== null && <UnderwayLine {...{underway, hostname}} onStopped={() => chip.current?.querySelector('button')?.focus()} />}
		</span>
	)
}

const shownChoices = 12

function AddComputer({taken, onAdd}: {taken: readonly string[]; onAdd: (guid: string) => void}) {
	const [typed, setTyped] = useState('')
	const box = useRef<HTMLDivElement>(null)
	useKey('trajectory.compare', () => box.current?.querySelector('input')?.focus())
	const {data = []} = useAskedHere(q => q.commands.suggest, {source: 'computer', prefix: typed.trim(), limit: shownChoices})
	return (
		<div ref={box} className={styles.add}>
			<ComboBox
				label={t.addComputer}
				hideLabel
				autoFocus
				input={typed}
				onInput={setTyped}
				onChoose={guid => {
					setTyped('')
					onAdd(guid)
				}}
				options={data.filter(({value}) => !taken.includes(value))}
				placeholder={t.addComputerName}
			/>
		</div>
	)
}
