import type {ReactNode, Ref} from 'react'

import {cx} from './cx.ts'
import styles from './Screen.module.css'

interface ScreenProps {
	readonly children: ReactNode
	/** At 200 % zoom all of it scrolls, and its body keeps some height. */
	readonly scrolls?: boolean
	readonly screenRef?: Ref<HTMLDivElement>
}

/** A screen from its bar down. */
export function Screen({children, scrolls = false, screenRef}: ScreenProps) {
	return (
		<div ref={screenRef} className={cx(styles['screen'], scrolls && styles['scrolls'])}>
			{children}
		</div>
	)
}

/** What lies below the bars: a list between what narrows it and one of its objects. */
export function ScreenBody({children}: {readonly children: ReactNode}) {
	return <div className={styles['body']}>{children}</div>
}

/** The list itself, with its picture above. */
export function ScreenMain({children}: {readonly children: ReactNode}) {
	return <div className={styles['main']}>{children}</div>
}
