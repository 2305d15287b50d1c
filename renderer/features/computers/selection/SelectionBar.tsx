import {type ComponentProps, useRef} from 'react'

import type {ComputerMarks} from '#contract/computer-list.ts'
import {formatCount} from '#text/numbers.ts'
import {useAskedHere} from '#api/hooks.tsx'
import {SelectionBar} from '#commands/SelectionBar.tsx'
import {StartPlaybook} from '#commands/StartPlaybook.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button} from '#ui/Button.tsx'
import {Chip} from '#ui/Tag.tsx'
import {t} from '../text.ts'
import type {FrozenSelection} from './use-frozen.ts'

interface ComputersSelectionProps extends Pick<ComponentProps<typeof SelectionBar>, 'isInView' | 'onShow' | 'buttons' | 'children'> {
	selection: FrozenSelection
	matching: number
	/** Why not all matches can be selected, in a sentence. */
	refusal: string | null
	onAll: () => void
	onEmptied: () => void
	onLabel: () => void
	onRefresh: () => void
	onExport: () => void
}

/** `children`: further actions, such as jobs. */
export function ComputersSelection(props: ComputersSelectionProps) {
	const {selection, matching, refusal, onAll, onEmptied, onLabel, onRefresh, onExport, children, ...shared} = props
	const announce = useAnnounce()
	const bar = useRef<HTMLSpanElement>(null)
	const leaveOut = (guids: readonly string[], what: string) => {
		const left = new Set(selection.guids).difference(new Set(guids))
		selection.replace(left)
		announce(`${formatCount(guids.length)} ${what} excluded, ${formatCount(left.size)} are selected`)
		// The pressed button disappears, and the next one would clear the selection.
		if (left.size === 0) onEmptied()
		else bar.current?.focus()
	}
	return (
		<SelectionBar
			guids={selection.guids}
			forms={['selected computer is', 'selected computers are']}
			frozen={matching > 0 && selection.size > matching ? t.notListed(formatCount(selection.size - matching)) : t.selectionFrozen}
			onClear={selection.clear}
			chips={bar}
			marks={<Marks selected={selection.asSet} onLeaveOut={leaveOut} />}
			{...shared}
		>
			{selection.size < matching && (
				<Button small tone="quiet" onPress={onAll} reason={refusal}>
					{t.selectAllMatch(formatCount(matching))}
				</Button>
			)}
			{children}
			<StartPlaybook small computers={selection.guids} />
			<Button small onPress={onLabel}>
				{t.tagsAndRoles}
			</Button>
			<Button small onPress={onRefresh}>
				{t.refreshSelected}
			</Button>
			<Button small onPress={onExport}>
				{t.exportMore}
			</Button>
		</SelectionBar>
	)
}

interface MarksProps {
	selected: ReadonlySet<string>
	onLeaveOut: (guids: readonly string[], what: string) => void
}

/** Selected computers that the next action will skip, counted before a dialog opens. */
function Marks({selected, onLeaveOut}: MarksProps) {
	const {data, error} = useAskedHere(q => q.computers.marks, {})
	if (data === undefined)
		return (
			error && (
				<span title={error.message}>
					<Chip>{t.protectionUnknown}</Chip>
				</span>
			)
		)
	return marksAmong(data, selected).map(mark => <Mark key={mark.what} mark={mark} onLeaveOut={() => onLeaveOut(mark.guids, mark.what)} />)
}

function Mark({mark, onLeaveOut}: {mark: MarkedAmong; onLeaveOut: () => void}) {
	const count = formatCount(mark.guids.length)
	return (
		<span title={mark.meaning}>
			<Chip onRemove={onLeaveOut} removeLabel={t.leaveOutSelection(count, mark.what)}>
				{count} {mark.what}
			</Chip>
		</span>
	)
}

interface MarkedAmong {
	what: 'protected' | 'already isolated'
	guids: readonly string[]
	/** The consequence for the next action, in a sentence. */
	meaning: string
}

const meanings = {
	protected:
		'The guard rules of this connection protect them: no job isolates or moves them, though it may release them. × leaves them out of the selection.',
	isolated: 'As far as readings tell, they are isolated now. × leaves them out of the selection.'
} as const

/** Iterates over the few marked ones, never over the selection. Marks without computers are omitted. */
export function marksAmong(marks: ComputerMarks, selected: ReadonlySet<string>): readonly MarkedAmong[] {
	const among = (guids: readonly string[]): readonly string[] => guids.filter(guid => selected.has(guid))
	const all: readonly MarkedAmong[] = [
		{what: 'protected', guids: among(marks.protected), meaning: meanings.protected},
		{what: 'already isolated', guids: among(marks.isolated), meaning: meanings.isolated}
	]
	return all.filter(({guids}) => guids.length > 0)
}
