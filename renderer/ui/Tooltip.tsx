import {type ReactNode, useEffect, useState} from 'react'
import {Tooltip as AriaTooltip, TooltipTrigger} from 'react-aria-components'
import {flushSync} from 'react-dom'

import styles from './Tooltip.module.css'

/** A short text on hover and focus, `null` for none. `children` is one focusable React Aria control. */
export function Tooltip({text, children}: {text: string | null; children: ReactNode}) {
	const [isOpen, setOpen] = useState(false)
	useEffect(() => {
		if (!isOpen) return undefined
		// Before React Aria, which would keep the key from a dialog around.
		const close = ({key}: KeyboardEvent) => {
			if (key === 'Escape') flushSync(() => setOpen(false))
		}
		window.addEventListener('keydown', close, true)
		return () => window.removeEventListener('keydown', close, true)
	}, [isOpen])
	return (
		<TooltipTrigger delay={500} closeDelay={60} isDisabled={text === null} isOpen={isOpen} onOpenChange={setOpen}>
			{children}
			{text !== null && (
				<AriaTooltip offset={6} className={styles.tooltip ?? ''}>
					{text}
				</AriaTooltip>
			)}
		</TooltipTrigger>
	)
}
