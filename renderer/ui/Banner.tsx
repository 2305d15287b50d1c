import {CircleAlert, Info, TriangleAlert} from 'lucide-react'
import {useLayoutEffect, useRef, type ReactNode} from 'react'

import styles from './Banner.module.css'
import {type Act, ActButton} from './Button.tsx'
import {cx} from './cx.ts'
import {keepFocus} from './list-of-screen.ts'

type BannerTone = 'info' | 'warning' | 'bad'

const icons = {info: Info, warning: TriangleAlert, bad: CircleAlert} as const
const words = {info: 'Note', warning: 'Warning', bad: 'Problem'} as const

export interface BannerProps {
	tone?: BannerTone
	children: ReactNode
	/** Buttons or links, at the end. */
	action?: ReactNode
	/** A button after them. */
	act?: Act
}

/** A line that stays until its cause is resolved. Announced when it appears. */
export function Banner({tone = 'info', children, action, act}: BannerProps) {
	const Icon = icons[tone]
	const root = useRef<HTMLDivElement>(null)
	// Its action often removes it together with the focused button.
	useLayoutEffect(() => {
		const element = root.current
		return () => {
			if (element?.contains(document.activeElement) === true) requestAnimationFrame(keepFocus)
		}
	}, [])
	return (
		<div ref={root} className={cx(styles.banner, styles[tone])} role={tone === 'bad' ? 'alert' : 'status'}>
			<Icon size={15} className={styles.icon} role="img" aria-label={words[tone]} />
			<div className={styles.text}>{children}</div>
			{action === undefined && act === undefined ? null : (
				<div className={styles.action}>
					{action}
					{act === undefined ? null : <ActButton act={act} small />}
				</div>
			)}
		</div>
	)
}
