import {createContext, useContext, useEffect, useMemo, useRef, useState, type ReactNode} from 'react'
import styles from './Announcer.module.css'
import {unseen} from './cx.ts'
import {anyDialog} from './list-of-screen.ts'

/** `spoken`: the page shows it in another way already. `news`: nobody here asked for it, so it waits for what is being told. */
type Announce = (text: string, manner?: 'spoken' | 'news') => void

const shownMs = 3000

const AnnounceContext = createContext<Announce>(() => {})

/** Tells a change of state: to assistive technology, politely, and for some seconds at the bottom of the window. */
export function useAnnounce() {
	return useContext(AnnounceContext)
}

/** Holds the page's one polite live region. */
export function Announcer({children}: {children: ReactNode}) {
	const [text, setText] = useState('')
	const [shown, setShown] = useState('')
	const flip = useRef(false)
	const announce = useMemo<Announce>(() => {
		const speak = (next: string) => {
			// The same text twice must differ, or it is not spoken again.
			flip.current = !flip.current
			const fresh = flip.current ? next : `${next}\u00a0`
			setText(fresh)
			return fresh
		}
		const show = inTurn(next => setShown(speak(next)), shownMs)
		return (next, manner) => (manner === 'spoken' ? void speak(next) : show(next, manner === 'news'))
	}, [])
	return (
		<AnnounceContext.Provider value={announce}>
			{children}
			{/* At the top: below everything it would make the page a pixel longer than the window. Marked, dialogs leave it alone. */}
			<div className={unseen} style={{top: 0}} role="status" aria-live="polite" data-live-announcer="true">
				{text}
			</div>
			<Shown text={shown} />
		</AnnounceContext.Provider>
	)
}

/** A popover, because a dialog would cover anything else; drawn from an attribute, so that the text stands in the page once. */
function Shown({text}: {text: string}) {
	const box = useRef<HTMLDivElement>(null)
	useEffect(() => {
		const element = box.current
		if (element === null || text === '') return undefined
		// Down there a tall dialog has its buttons.
		element.dataset['place'] = document.querySelector(anyDialog) === null ? 'bottom' : 'top'
		element.showPopover()
		const timer = setTimeout(() => element.hidePopover(), shownMs)
		return () => {
			clearTimeout(timer)
			element.hidePopover()
		}
	}, [text])
	return <div ref={box} popover="manual" className={styles.shown} data-told={text.trim()} aria-hidden />
}

/** `waits`: after what is being shown, so that news does not cover the answer to an act. */
type InTurn = (text: string, waits?: boolean) => void

/** Tells texts by `tell`; each counts as shown for `shownMs`. */
export function inTurn(tell: (text: string) => void, shownMs: number) {
	let until = 0
	const say: InTurn = (text, waits = false) => {
		const left = until - performance.now()
		if (waits && left > 0) {
			setTimeout(() => say(text, true), left)
			return
		}
		until = performance.now() + shownMs
		tell(text)
	}
	return say
}
