import {createContext, useCallback, useContext, useMemo, useRef, useState, type ReactNode} from 'react'

import {unseen} from './unseen.ts'

type Announce = (text: string) => void

const AnnounceContext = createContext<Announce>(() => undefined)

/** Announces a change of state to assistive technology, politely. */
export function useAnnounce(): Announce {
	return useContext(AnnounceContext)
}

/** Holds the page's one polite live region. */
export function Announcer({children}: {readonly children: ReactNode}) {
	const [text, setText] = useState('')
	const flip = useRef(false)
	const announce = useCallback((next: string) => {
		// The same text twice must differ, or it is not spoken again.
		flip.current = !flip.current
		setText(flip.current ? next : `${next}\u00a0`)
	}, [])
	return (
		<AnnounceContext.Provider value={useMemo(() => announce, [announce])}>
			{children}
			{/* At the top: below everything it would make the page a pixel longer than the window. */}
			<div className={unseen} style={{top: 0}} role="status" aria-live="polite">
				{text}
			</div>
		</AnnounceContext.Provider>
	)
}
