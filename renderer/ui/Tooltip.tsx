import type {ReactNode} from 'react'
import {Tooltip as AriaTooltip, TooltipTrigger} from 'react-aria-components'

import styles from './Tooltip.module.css'

/** A short text on hover and focus, `null` for none. `children` is one focusable React Aria control. */
export function Tooltip({text, children}: {text: string | null; children: ReactNode}) {
	return (
		<TooltipTrigger delay={500} closeDelay={60} isDisabled={text === null}>
			{children}
			{text === null ? null : (
				<AriaTooltip offset={6} className={styles.tooltip ?? ''}>
					{text}
				</AriaTooltip>
			)}
		</TooltipTrigger>
	)
}
