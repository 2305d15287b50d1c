import {useNavigate} from '@tanstack/react-router'
import {useRef, useState} from 'react'

import type {GroupNode} from '#contract/directory.ts'
import type {ComputerRow} from '#model/computer.ts'
import {counted, formatCount} from '#text/numbers.ts'
import {nouns} from '#text/terms.ts'
import {omitUndefined} from '#shared/omit-undefined.ts'
import {useWriteRefusal} from '#api/hooks.tsx'
import {DirectoryBanner} from '#commands/directory/DirectoryBanner.tsx'
import {DirectoryBar} from '#commands/directory/DirectoryBar.tsx'
import {NothingShown, type NothingShownProps} from '#commands/directory/NothingShown.tsx'
import {isReading, useDirectoryRefresh, useGroups} from '#commands/directory/use-directory.ts'
import {MovedBar} from '#commands/move/MovedBar.tsx'
import {useAddress} from '#kit/use-address.ts'
import {useAnnounce} from '#ui/Announcer.tsx'
import {Button, useCopy} from '#ui/Button.tsx'
import {useAtCursor, useKeys} from '#ui/keys/KeyRegistry.tsx'
import {Screen, ScreenBody} from '#ui/Screen.tsx'
import type {RowActs} from '#ui/table/RowMenu.tsx'
import type {TableHandle} from '#ui/table/types.ts'
import type {DraggedComputer} from './drag.ts'
import {filterOf} from './group-facts.ts'
import {GroupIcicle} from './GroupIcicle.tsx'
import {GroupPanel} from './GroupPanel.tsx'
import {GroupPolicies} from './GroupPolicies.tsx'
import {GroupsDialogs} from './GroupsDialogs.tsx'
import {GroupTree} from './GroupTree.tsx'
import {nextOdd} from './name-checks.ts'
import {PickedBar} from './PickedBar.tsx'
import type {GroupsSearch, GroupView} from './search.ts'
import {t} from './text.ts'
import {withBelow} from './tree-model.ts'
import {TreeTools} from './TreeTools.tsx'
import {type Moves, useMoves} from './use-moves.ts'
import {usePicked} from './use-picked.ts'
import type {TreeHandle} from './use-tree-selection.ts'
import {parentsIn, useTreeView} from './use-tree-view.ts'

const noGroups: readonly GroupNode[] = []

/** The tree of groups, and one of them beside it. */
export function GroupsScreen() {
	const screen = useGroupsScreen()
	const {search, change, copy, reading, moves, tree, searchBox, refreshButton, groups, view, lines, matches} = screen
	const {picked, go, current, compare, look, waiting} = screen
	return (
		<Screen scrolls>
			<DirectoryBar
				title={t.groups}
				state={copy.state}
				count={waiting ? null : <Count matches={matches} all={groups.length} />}
				details={{read: groups.filter(({policies}) => policies !== null).length, of: groups.length}}
				reading={reading}
				refreshButton={refreshButton}
			>
				<Buttons isPair={picked.guids.length === 2} onCompare={compare} onExport={() => change({act: 'export'})} isEmpty={lines.length === 0} />
			</DirectoryBar>
			<TreeTools
				view={search.view ?? 'tree'}
				onView={look}
				odd={view.odd.size}
				onNextOdd={() => go(nextOdd(view.odd, current()))}
				search={search.search}
				onSearch={text => change({search: text})}
				onLeave={() => tree.current?.focus()}
				onFoldAll={isOpen => view.fold(parentsIn(groups), isOpen)}
				searchBox={searchBox}
			/>
			<DirectoryBanner state={copy.state} what="groups" isEmpty={groups.length === 0} onRefresh={details => reading.refresh(details)} />
			{moves.last !== null && <MovedBar moved={moves.last} onDismiss={moves.dismiss} />}
			<ScreenBody>
				<TreeOrPicture screen={screen} />
				<PanelOfGroup screen={screen} />
			</ScreenBody>
			<PickedBar
				picked={picked}
				onShow={() => (change({search: undefined, view: undefined}), go(picked.guids[0]))}
				onCleared={() => tree.current?.focus()}
			/>
			<GroupsDialogs
				act={waiting && search.act === 'export' ? undefined : search.act}
				groups={groups}
				view={view}
				moves={moves}
				onClose={() => change({act: undefined})}
			/>
		</Screen>
	)
}

function TreeOrPicture({screen}: {screen: GroupsState}) {
	const {search, change, copy, reading, cursor, setCursor, tree, groups, view, lines, picked, peek, go} = screen
	const {openMembers, openPage, drop, menu, waiting} = screen
	return search.view === undefined || search.view === 'tree' || waiting || groups.length === 0 ? (
		<GroupTree
			odd={view.odd}
			lines={lines}
			wanted={view.wanted}
			whole={view.whole}
			cursor={cursor}
			onCursor={node => {
				setCursor(node.guid)
				if (search.group !== undefined && search.group !== node.guid) peek(node.guid)
			}}
			selection={picked.asSet}
			onSelection={picked.change}
			onOpen={(guid, isOpen) => view.fold([guid], isOpen)}
			onOpenBelow={(guid, isOpen) => view.fold(parentsIn(withBelow(groups, guid)), isOpen)}
			onMembers={openMembers}
			onPage={({guid}) => openPage(guid)}
			menu={menu}
			isPeeking={search.group !== undefined}
			onPeek={node => peek(search.group === node.guid ? undefined : node.guid)}
			onDrop={drop}
			isBusy={waiting}
			empty={
				waiting ? undefined : <Nothing copy={copy} reading={reading} asked={`“${view.wanted}”`} onShowAll={() => change({search: undefined})} />
			}
			handle={tree}
		/>
	) : (
		<GroupPicture search={search} groups={groups} matching={view.matching} onChange={change} onChoose={go} />
	)
}

function PanelOfGroup({screen}: {screen: GroupsState}) {
	const {search, navigate, change, wantsMembers, setWantsMembers, members, member, view, shown, peek, go, waiting} = screen
	return search.group === undefined || waiting ? null : (
		<GroupPanel
			key={search.group}
			group={shown}
			path={view.path}
			odd={view.odd.get(search.group) ?? []}
			below={view.below}
			withBelow={search.below ?? false}
			onWithBelow={on => change({below: on ? true : undefined})}
			onClose={() => peek(undefined)}
			onGo={go}
			onAssign={() => change({act: 'assign'})}
			onComputer={row => void navigate({to: '/computers/$guid', params: {guid: row.guid}, search: {}})}
			onMember={row => void (member.current = row)}
			members={members}
			wantsMembers={wantsMembers}
			onMembersFocused={() => setWantsMembers(false)}
		/>
	)
}

type GroupsState = ReturnType<typeof useGroupsScreen>

function useGroupsScreen() {
	const {search, change} = useAddress('/groups')
	const navigate = useNavigate()
	const announce = useAnnounce()
	const writeRefusal = useWriteRefusal()
	const copy = useGroups()
	const reading = useDirectoryRefresh()
	const moves = useMoves()
	const [cursor, setCursor] = useState(search.group)
	const [wantsMembers, setWantsMembers] = useState(false)
	const tree = useRef<TreeHandle>(null)
	const members = useRef<TableHandle>(null)
	const member = useRef<ComputerRow | undefined>(undefined)
	const searchBox = useRef<HTMLInputElement>(null)
	const refreshButton = useRef<HTMLButtonElement>(null)

	const groups = copy.items ?? noGroups
	const view = useTreeView(groups, search, guid => tree.current?.show(guid))
	const {known, lines, matches, shown} = view
	const picked = usePicked(lines)
	const peek = (guid: string | undefined) => {
		member.current = undefined
		change({group: guid, below: undefined})
	}
	const go = (guid: string | undefined) => (setCursor(guid), peek(guid))
	const openMembers = (node: GroupNode) => {
		setCursor(node.guid)
		if (search.group === node.guid) members.current?.focus()
		else peek(node.guid)
		setWantsMembers(true)
	}
	const openPage = (guid: string) => void navigate({to: '/groups/$guid', params: {guid}, search: {}})
	const current = () => (cursor !== undefined && known.has(cursor) ? cursor : search.group)
	const drop = (computer: DraggedComputer, node: GroupNode) =>
		writeRefusal === null ? moves.ask({...computer, to: node.guid}) : announce(writeRefusal)
	const compare = () => void navigate({to: '/groups/compare', search: pairOf(picked.guids, current())})
	const look = (next: GroupView) => change({view: next === 'tree' ? undefined : next})
	const menu = useGroupMenu(change)
	const onCurrent = useAtCursor(current, () => 'Go to a group first')
	const toClipboard = useCopy()
	// Keys open dialogs; none sends anything.
	useKeys({
		'list.filter': () => searchBox.current?.focus(),
		'groups.refresh': () => refreshButton.current?.focus(),
		'groups.export': () => change({act: 'export'}),
		'groups.view1': () => look('tree'),
		'groups.view2': () => look('icicle'),
		'groups.view3': () => look('policies'),
		'groups.assign': () => {
			if (!picked.isInView || !picked.assign()) onCurrent(group => change({group, act: 'assign'}))()
		},
		'groups.selection': picked.guids.length > 0 && (() => picked.buttons.current?.querySelector('button')?.focus()),
		'groups.diff': compare,
		'groups.open': onCurrent(openPage),
		'groups.computers': onCurrent(guid => toComputers(guid, filter => void navigate({to: '/computers', search: {filter}}))),
		'groups.note': onCurrent(group => change({group, act: 'note'})),
		'groups.copy': onCurrent(guid => toClipboard('GUID', guid)),
		'groups.move': () => {
			if (askToMove(moves, member.current)) return
			announce('Go to a computer of the members first. A group is moved under another in the web console.')
		}
	})

	const waiting = copy.items === undefined || (groups.length === 0 && isReading(copy.state, reading.isRefreshing))
	return {
		...{search, navigate, change, copy, reading, moves, cursor, setCursor, wantsMembers, setWantsMembers, tree},
		...{members, member, searchBox, refreshButton, groups, view, lines, matches, shown, picked, peek, go},
		...{openMembers, openPage, current, drop, compare, look, menu, waiting}
	}
}

/** Opens the dialog; `false` without a computer at the cursor. */
function askToMove(moves: Moves, computer: ComputerRow | undefined) {
	if (computer === undefined) return false
	moves.ask({guid: computer.guid, hostname: computer.hostname})
	return true
}

function Nothing(props: Pick<NothingShownProps, 'copy' | 'reading' | 'asked' | 'onShowAll'>) {
	return (
		<NothingShown {...props} noun={nouns.group}>
			{t.serviceLists}
		</NothingShown>
	)
}

interface GroupPictureProps {
	search: GroupsSearch
	groups: readonly GroupNode[]
	matching: ReadonlySet<string> | null
	onChange: (next: Partial<GroupsSearch>) => void
	onChoose: (guid: string) => void
}

function GroupPicture({search, groups, matching, onChange, onChoose}: GroupPictureProps) {
	if (search.view === 'policies')
		return <GroupPolicies matching={matching} list={search.list} onList={list => onChange({list})} onChoose={onChoose} />
	return (
		<GroupIcicle
			groups={groups}
			matching={matching}
			root={search.root}
			onRoot={root => onChange({root})}
			chosen={search.group}
			onChoose={onChoose}
		/>
	)
}

/** The selected ones, otherwise the one at the cursor, for the comparison's address. */
function pairOf(selected: readonly string[], current: string | undefined) {
	const [a = current, b] = selected
	return omitUndefined({a, b})
}

interface ButtonsProps {
	/** Whether two groups are selected. */
	isPair: boolean
	onCompare: () => void
	onExport: () => void
	isEmpty: boolean
}

function Buttons({isPair, onCompare, onExport, isEmpty}: ButtonsProps) {
	return (
		<>
			<Button onPress={onCompare} tooltip={t.selectTwoCompare} keys="Shift+D">
				{t.compare(isPair ? t.theTwoSelected : '…')}
			</Button>
			<Button onPress={onExport} opens reason={isEmpty ? t.thereNoGroup : null} keys="e">
				{t.exportMore}
			</Button>
		</>
	)
}

function Count({matches, all}: {matches: number | null; all: number}) {
	return (
		<span>
			{matches === null ? '' : t.of(formatCount(matches))}
			{counted(all, nouns.group)}
		</span>
	)
}

/** The actions of a line: dialogs and other screens. */
function useGroupMenu(change: (next: Partial<GroupsSearch>) => void): (node: GroupNode) => RowActs {
	const navigate = useNavigate()
	const refusal = useWriteRefusal()
	return ({guid, name}) => ({
		title: name,
		acts: [
			[t.assignPolicies, () => change({group: guid, act: 'assign'}), refusal],
			[t.showComputers, () => toComputers(guid, filter => void navigate({to: '/computers', search: {filter}}))],
			[t.compareWith, () => void navigate({to: '/groups/compare', search: {a: guid}})],
			[t.noteMore, () => change({group: guid, act: 'note'})]
		],
		copies: [
			['name', name],
			[t.guid, guid]
		]
	})
}

function toComputers(group: string | undefined, show: (filter: string) => void) {
	const filter = filterOf([{guid: group ?? ''}])
	if (filter !== null) show(filter)
}
