import {RefreshCw} from 'lucide-react'
import {useState, type ReactNode} from 'react'

import type {InventoryState} from '#model/frame.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'

import {useActiveFrame} from '#api/hooks.tsx'
import {useReadComputers} from '#commands/use-read-computers.ts'
import {Button} from '#ui/Button.tsx'
import {useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Time} from '#ui/Time.tsx'
import {ScreenBar} from '#ui/Screen.tsx'
import {t} from './text.ts'

interface ComputersBarProps {
	matching: number | undefined
	all: number | undefined
	isPrevious: boolean
	filtered: boolean
	onColumns: () => void
	onExport: () => void
	children: ReactNode
}

export function ComputersBar({matching, all, isPrevious, filtered, onColumns, onExport, children}: ComputersBarProps) {
	const inventory = useActiveFrame()?.inventory
	const loading = inventory?.phase === 'loading'
	const calls = Math.max(1, Math.ceil((inventory?.total ?? all ?? 0) / 500)) + 1
	const refresh = useReadComputers().again
	useKeys({'list.columns': onColumns, 'list.refresh': !loading && refresh})
	return (
		<ScreenBar
			title={t.computers}
			facts={
				<>
					{matching !== undefined && all !== undefined && !isUnknown(all, inventory) && (
						<Counts {...{matching, all, isPrevious, filtered, inventory}} />
					)}
					{inventory !== undefined && <Progress inventory={inventory} />}
				</>
			}
		>
			{children}
			<Button onPress={onColumns} opens keys="c">
				{t.columns}
			</Button>
			<Button onPress={onExport} opens keys="e">
				{t.exportMore}
			</Button>
			<Button onPress={refresh} reason={loading ? t.loadingTheList : null} tooltip={t.refreshWhole(calls)}>
				<RefreshCw size={13} aria-hidden />
				{t.refresh}
			</Button>
		</ScreenBar>
	)
}

interface CountsProps {
	matching: number
	all: number
	isPrevious: boolean
	filtered: boolean
	inventory: InventoryState | undefined
}

/** Until the current query is answered, the previous answer stays. */
function Counts({isPrevious, ...counted}: CountsProps) {
	const words = countWords(counted)
	const [answered, setAnswered] = useState(words)
	if (!isPrevious && answered !== words) setAnswered(words)
	return <span>{isPrevious ? answered : words}</span>
}

function countWords({matching, all, filtered, inventory}: Omit<CountsProps, 'isPrevious'>) {
	const partial = inventory !== undefined && inventory.completeAt === null && inventory.total !== null && inventory.total > all
	const known = partial ? `${formatCount(all)} loaded` : `${formatCount(all)}`
	if (filtered) return `${partial ? '≥ ' : ''}${formatCount(matching)} of the ${known} computers`
	if (partial) return `${formatCount(all)} of ${formatCount(inventory.total ?? 0)} computers loaded`
	return `${counted(all, nouns.computer)}`
}

/** Age of the rows, also during a refresh, which may take long. */
function Progress({inventory}: {inventory: InventoryState}) {
	const {completeAt, readAt, phase} = inventory
	const loading = phase === 'loading'
	if (loading && isUnknown(inventory.rows, inventory)) return <span>{t.loadingFirst}</span>
	const dot = isUnknown(inventory.rows, inventory) ? '' : ' · '
	// Before the first complete load the rows are as old as their page.
	const at = completeAt ?? (loading ? null : readAt)
	return (
		<span>
			{at !== null && (
				<>
					{t.dataOf(dot)} <Time at={at} form="age" focusable /> {t.old}
				</>
			)}
			{loading && ` · ${pageWords(inventory)}`}
		</span>
	)
}

function pageWords({pages, pagesRead}: InventoryState) {
	return `loading page ${formatCount(pagesRead + 1)}${pages === null ? '' : ` of ${formatCount(pages)}`}`
}

/** Before the first load an empty list says nothing about the total. */
function isUnknown(rows: number, inventory: InventoryState | undefined) {
	return rows === 0 && inventory?.completeAt == null
}
