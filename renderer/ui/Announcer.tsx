import {createContext, useCallback, useContext, useEffect, useMemo, useRef, useState, type ReactNode} from 'react'

import styles from './Announcer.module.css'
import {unseen} from './unseen.ts'

/** `isSpokenOnly`: what the page shows in another way already. */
type Announce = (text: string, isSpokenOnly?: boolean) => void

const AnnounceContext = createContext<Announce>(() => undefined)

/** Tells a change of state: to assistive technology, politely, and for some seconds at the bottom of the window. */
export function useAnnounce(): Announce {
	return useContext(AnnounceContext)
}

/** Holds the page's one polite live region. */
export function Announcer({children}: {children: ReactNode}) {
	const [text, setText] = useState('')
	const [shown, setShown] = useState('')
	const flip = useRef(false)
	const announce = useCallback((next: string, isSpokenOnly = false) => {
		// The same text twice must differ, or it is not spoken again.
		flip.current = !flip.current
		const fresh = flip.current ? next : `${next}\u00a0`
		setText(fresh)
		if (!isSpokenOnly) setShown(fresh)
	}, [])
	return (
		<AnnounceContext.Provider value={useMemo(() => announce, [announce])}>
			{children}
			{/* At the top: below everything it would make the page a pixel longer than the window. */}
			<div className={unseen} style={{top: 0}} role="status" aria-live="polite">
				{text}
			</div>
			<Shown text={shown} />
		</AnnounceContext.Provider>
	)
}

const shownMs = 3000

/** A popover, because a dialog would cover anything else; drawn from an attribute, so that the text stands in the page once. */
function Shown({text}: {text: string}) {
	const box = useRef<HTMLDivElement>(null)
	useEffect(() => {
		const element = box.current
		if (element === null || text === '') return undefined
		element.showPopover()
		const timer = setTimeout(() => element.hidePopover(), shownMs)
		return () => {
			clearTimeout(timer)
			element.hidePopover()
		}
	}, [text])
	return <div ref={box} popover="manual" className={styles.shown} data-told={text.trim()} aria-hidden="true" />
}
