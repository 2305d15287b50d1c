import type {ReactNode, Ref} from 'react'

import {cx} from './cx.ts'
import styles from './Screen.module.css'

interface ScreenProps {
	children: ReactNode
	/** At 200% zoom the whole screen scrolls, and its body keeps a minimum height. */
	scrolls?: boolean
	screenRef?: Ref<HTMLDivElement>
}

/** A screen, from its title bar down. */
export function Screen({children, scrolls = false, screenRef}: ScreenProps) {
	return (
		<div ref={screenRef} className={cx(styles.screen, scrolls && styles.scrolls)}>
			{children}
		</div>
	)
}

/** The content below the bars: a list between its facets and the side panel. */
export function ScreenBody({children}: {children: ReactNode}) {
	return <div className={styles.body}>{children}</div>
}

/** The list with its chart above. */
export function ScreenMain({children}: {children: ReactNode}) {
	return <div className={styles.main}>{children}</div>
}
