import {createContext, useContext, useEffect, useMemo, useRef, useSyncExternalStore, type ReactNode} from 'react'

import {useAnnounce} from '../Announcer.tsx'
import {isDialogOpen} from '../list-of-screen.ts'
import {useSingleKeys} from '../SingleKeys.tsx'
import {t} from '../text.ts'
import {useLatest} from '../use-latest.ts'
import {keysOf, type ChosenKeys} from './chosen-keys.ts'
import {useChosenKeys} from './ChosenKeys.tsx'
import {keyEntries, type KeyId} from './key-map.ts'
import {isPressed, isSingle, type Pressed} from './match.ts'

type Handler = () => void

type Registry = ReturnType<typeof createRegistry>

const RegistryContext = createContext<Registry | null>(null)

/** How long a first letter such as `g` waits for the second one (ms). */
const sequenceMs = 1500

/** Listens for the keys of the map, or chosen ones, and calls the handlers on the screen. */
export function KeyRegistry({children}: {children: ReactNode}) {
	const registry = useMemo(createRegistry, [])
	const letters = useSingleKeys()
	const chosen = useChosenKeys()
	const announce = useAnnounce()
	useEffect(() => {
		let begun: {step: string; at: number} | null = null
		const onKeyDown = (event: KeyboardEvent) => {
			if (event.defaultPrevented || event.isComposing || event.repeat) return
			const before = begun !== null && event.timeStamp - begun.at < sequenceMs ? begun.step : null
			begun = null
			const typing = isTyping(event.target)
			const allowed = {singles: letters && !typing, all: !isInPopup(event.target), typing}
			const found = lookUp(registry, chosen, pressedOf(event), before, allowed)
			if (found === null) {
				if (letters && isDead(event, before)) announce(t.deadKey(before === null ? event.key : `${before} ${event.key}`))
				return
			}
			if (found.kind === 'prefix') {
				begun = {step: found.step, at: event.timeStamp}
				return
			}
			event.preventDefault()
			found.handler()
		}
		window.addEventListener('keydown', onKeyDown)
		return () => window.removeEventListener('keydown', onKeyDown)
	}, [registry, letters, chosen, announce])
	return <RegistryContext.Provider value={registry}>{children}</RegistryContext.Provider>
}

/** Handles a shortcut of the map while this component is shown. */
export function useKey(id: KeyId, handler: () => void, isEnabled = true) {
	useKeys({[id]: isEnabled && handler})
}

/** Handles these shortcuts; `false` for one that does nothing now. */
export function useKeys(handlers: {[Id in KeyId]?: Handler | false}) {
	const registry = useRegistry()
	const latest = useLatest(handlers)
	const ids = (Object.keys(handlers) as KeyId[]).filter(id => handlers[id] !== false).join(' ') // the type has no others
	// Only what changed is added or removed: the last added wins, so keys added anew would win over a dialog's.
	const added = useRef(new Map<string, () => void>())
	useEffect(() => {
		const wanted = ids.split(' ').filter(Boolean) as KeyId[] // as joined above
		for (const [id, remove] of added.current) if (!wanted.some(each => each === id) && added.current.delete(id)) remove()
		for (const id of wanted)
			if (!added.current.has(id))
				added.current.set(
					id,
					registry.add(id, () => latest.current[id] || nothing)
				)
	}, [registry, ids, latest])
	useEffect(() => {
		const own = added.current
		return () => {
			for (const remove of own.values()) remove()
			own.clear()
		}
	}, [registry])
}

const nothing = () => {}

/** For actions on what is at the cursor: where nothing is, that is said. */
export function useAtCursor<It>(current: () => It | undefined, otherwise: () => string): (act: (it: It) => void) => Handler {
	const announce = useAnnounce()
	return (act: (it: It) => void) => () => {
		const it = current()
		if (it === undefined) announce(otherwise())
		else act(it)
	}
}

export function useActiveKeys() {
	const registry = useRegistry()
	return useSyncExternalStore(registry.subscribe, registry.ids)
}

export function useRunKey(): (id: KeyId) => void {
	const registry = useRegistry()
	return id => registry.find(id)?.()
}

function useRegistry() {
	const registry = useContext(RegistryContext)
	if (registry === null) throw new Error('There is no KeyRegistry above this component.')
	return registry
}

function createRegistry() {
	const handlers: {id: KeyId; handler: () => Handler}[] = []
	const listeners = new Set<() => void>()
	let ids: readonly KeyId[] = []
	const changed = () => {
		ids = [...new Set(handlers.map(each => each.id))]
		for (const listener of listeners) listener()
	}
	return {
		add(id: KeyId, handler: () => Handler) {
			const entry = {id, handler}
			handlers.push(entry)
			changed()
			return () => {
				handlers.splice(handlers.indexOf(entry), 1)
				changed()
			}
		},
		ids: () => ids,
		subscribe(listener: () => void) {
			listeners.add(listener)
			return () => void listeners.delete(listener)
		},
		/** The last added handler wins. */
		find: (id: KeyId) => handlers.findLast(each => each.id === id)?.handler()
	}
}

type Found = {kind: 'run'; handler: Handler} | {kind: 'prefix'; step: string}

function lookUp(
	registry: Registry,
	chosen: ChosenKeys,
	pressed: Pressed,
	before: string | null,
	allowed: {singles: boolean; all: boolean; typing: boolean}
): Found | null {
	for (const [id] of keyEntries) {
		const handler = registry.find(id)
		if (handler === undefined || (allowed.typing && ofFields.has(id))) continue
		for (const keys of keysOf(id, chosen)) {
			if (isSingle(keys) ? !(allowed.singles && allowed.all) : !allowed.all && !worksInPopups.has(id)) continue
			const [first = '', second] = keys.split(' ')
			if (second === undefined && before === null && isPressed(first, pressed)) return {kind: 'run', handler}
			if (second !== undefined && before === first && isPressed(second, pressed)) return {kind: 'run', handler}
			if (second !== undefined && before === null && isPressed(first, pressed)) return {kind: 'prefix', step: first}
		}
	}
	return null
}

/** A letter that nothing else takes: neither a field nor a button or a list that searches by it. */
function isDead({key, ctrlKey, metaKey, altKey, target}: KeyboardEvent, before: string | null) {
	if (ctrlKey || metaKey || altKey || !/^\p{L}$/u.test(key) || isInPopup(target)) return false
	return before !== null || target === document.body || (target instanceof Element && target.matches('[role$="grid"]'))
}

/** In a field this key undoes typing. */
const ofFields: ReadonlySet<KeyId> = new Set(['global.undo'])

/** Locking must work at any moment. */
const worksInPopups: ReadonlySet<KeyId> = new Set(['global.lock'])

function pressedOf(event: KeyboardEvent): Pressed {
	return {key: event.key, ctrl: event.ctrlKey, meta: event.metaKey, alt: event.altKey, shift: event.shiftKey}
}

function isTyping(target: EventTarget | null) {
	if (!(target instanceof HTMLElement)) return false
	if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true
	return target instanceof HTMLInputElement && !['checkbox', 'radio', 'button'].includes(target.type)
}

/** Also while a dialog is open without the focus inside: no key may reach the screen behind. */
function isInPopup(target: EventTarget | null) {
	return isDialogOpen() || (target instanceof Element && target.closest('[role="menu"], [role="listbox"]') !== null)
}
