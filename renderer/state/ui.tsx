import {createContext, useContext, type ReactNode} from 'react'
import {createStore, useStore, type StoreApi} from 'zustand'

/** One hash that was put on a list or taken off it, and what the service answered. */
export interface HashReceipt {
	change: {
		kind: 'hash_added' | 'hash_removed'
		connection: string
		list: {guid: string; name: string}
		sha256: string
		/** The note that was sent with it, or the one that it had when it was removed. */
		note: string
		/** ISO 8601. */
		at: string
		/** Id of the intent in the incident log. */
		entry: string
	}
	message: string
	status: number | null
	requestId: string | null
}

/** Changes of many computers, or of many groups. */
export type BulkKind = 'isolate' | 'release' | 'move' | 'policies'

/** Older ones are in the incident log. */
const mostReceipts = 50

/** Facts about this window: ids, never records. */
export interface UiState {
	/** The connection that was chosen in this window; `null` follows the settings. */
	activeConnection: string | null
	isDrawerOpen: boolean
	overlay: 'palette' | 'keys' | 'notices' | 'connection' | 'mode' | 'undo' | null
	/** GUIDs that were picked, by the name of their list: frozen, no filter changes them. */
	selections: ReadonlyMap<string, ReadonlySet<string>>
	/** The command that the last click stands for, without the leading `!`. */
	lastCommand: string | null
	/** A command whose form is open, with values to start from. */
	form: {command: string; values: Readonly<Record<string, string>>} | null
	/** A change of many objects whose dialog is open; without targets, they are typed there. */
	bulk: {kind: BulkKind; targets: readonly string[]} | null
	/** Hashes that this window put on lists or took off them, newest first, until they are taken back. */
	hashChanges: readonly HashReceipt[]
	/** Of a shift handover, by connection and incident, until they are in the log. */
	nextSteps: ReadonlyMap<string, string>
	/** A line for the command line, to be shown or to be run at once; changes still ask first. */
	draft: {line: string; run: boolean} | null
}

/** A selection, or what makes it from the one that is there by then. */
type Next = ReadonlySet<string> | ((old: ReadonlySet<string>) => ReadonlySet<string>)

interface UiActions {
	setActiveConnection(id: string | null): void
	/** Opens the command line, with a line in it if one is given. */
	setDrawer(open: boolean, line?: string): void
	/** Opens the command line and runs the line there. */
	runLine(line: string): void
	/** Hands the line out once. */
	takeDraft(): UiState['draft']
	setOverlay(overlay: UiState['overlay']): void
	leaveDialogs(): void
	setSelection(list: string, next: Next): void
	/** What belongs to a tenant is closed when another one is shown. */
	leaveTenant(): void
	/** What a job was started on is picked no more. */
	leaveSelections(connection: string, targets: readonly string[]): void
	setLastCommand(line: string | null): void
	openForm(command: string, values?: Readonly<Record<string, string>>): void
	closeForm(): void
	openBulk(kind: BulkKind, targets: readonly string[]): void
	closeBulk(): void
	addHashChange(receipt: HashReceipt): void
	/** `entry` is the id of its intent in the incident log. */
	dropHashChange(entry: string): void
}

type Ui = UiState & UiActions
export type UiStore = StoreApi<Ui>

export function createUiStore(): UiStore {
	return createStore<Ui>()((set, get) => ({
		activeConnection: null,
		isDrawerOpen: false,
		overlay: null,
		selections: new Map(),
		lastCommand: null,
		form: null,
		bulk: null,
		hashChanges: [],
		nextSteps: new Map(),
		draft: null,
		setActiveConnection: activeConnection => set({activeConnection}),
		setDrawer: (isDrawerOpen, line) => set({isDrawerOpen, ...(line !== undefined && {draft: {line, run: false}})}),
		runLine: line => set({isDrawerOpen: true, draft: {line, run: true}, form: null, overlay: null}),
		takeDraft: () => {
			const {draft} = get()
			if (draft !== null) set({draft: null})
			return draft
		},
		setOverlay: overlay => set({overlay}),
		setSelection: (list, next) =>
			set(({selections}) => ({
				selections: new Map(selections).set(list, typeof next === 'function' ? next(selections.get(list) ?? nothing) : next)
			})),
		leaveTenant: () => set({lastCommand: null, bulk: null, form: null}),
		leaveDialogs: () => set({overlay: null, bulk: null, form: null}),
		leaveSelections: (connection, targets) =>
			set(old => {
				const left = new Set(targets)
				const kept = [connection, pickedGroups(connection)].flatMap(list => {
					const picked = old.selections.get(list)
					return picked === undefined ? [] : [[list, picked.difference(left)] as const]
				})
				return {selections: new Map([...old.selections, ...kept])}
			}),
		setLastCommand: lastCommand => set({lastCommand}),
		openForm: (command, values = {}) => set({form: {command, values}, overlay: null}),
		closeForm: () => set({form: null}),
		openBulk: (kind, targets) => set({bulk: {kind, targets}, overlay: null}),
		closeBulk: () => set({bulk: null}),
		addHashChange: receipt => set(old => ({hashChanges: [receipt, ...old.hashChanges].slice(0, mostReceipts)})),
		dropHashChange: entry => set(old => ({hashChanges: old.hashChanges.filter(({change}) => change.entry !== entry)}))
	}))
}

const UiContext = createContext<UiStore | null>(null)

export function UiProvider({store, children}: {store: UiStore; children: ReactNode}) {
	return <UiContext.Provider value={store}>{children}</UiContext.Provider>
}

function useUiStore() {
	const store = useContext(UiContext)
	if (store === null) throw new Error('There is no UiProvider above this component.')
	return store
}

export function useUi<T>(select: (ui: Ui) => T) {
	return useStore(useUiStore(), select)
}

const nothing: ReadonlySet<string> = new Set()

export function useNextSteps(connection: string, incident: string | null) {
	const store = useUiStore()
	const key = `${connection} ${incident ?? ''}`
	const text = useUi(ui => ui.nextSteps.get(key) ?? '')
	const set = (next: string) => store.setState(({nextSteps}) => ({nextSteps: new Map(nextSteps).set(key, next)}))
	/** What was typed since the writing began is not in the log yet. */
	const leave = (written: string) => store.getState().nextSteps.get(key) === written && set('')
	return {text, set, leave}
}

/** Under this name lie the picked groups of a connection; its picked computers lie under its id. */
export function pickedGroups(connection: string) {
	return `${connection} groups`
}

/** The picked GUIDs of a list and how to change them. */
export function useSelection(list: string): readonly [ReadonlySet<string>, (next: Next) => void] {
	const selection = useUi(ui => ui.selections.get(list) ?? nothing)
	const set = useUi(ui => ui.setSelection)
	return [selection, next => set(list, next)]
}
