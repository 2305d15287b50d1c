import {omitUndefined} from '#shared/omit-undefined.ts'
import type {ReactNode} from 'react'
import {Link as AriaLink} from 'react-aria-components'

import {cx} from './cx.ts'
import buttons from './Button.module.css'
import styles from './Link.module.css'

export interface LinkProps {
	children: ReactNode
	/** A route of this page, such as `/computers`; default: a button that looks like a link. */
	href?: string
	onPress?: () => void
	/** Beside buttons it looks like one. */
	look?: 'button'
	className?: string | undefined
	'aria-label'?: string
}

export function Link({children, className, look, onPress, ...rest}: LinkProps) {
	return (
		<AriaLink {...rest} {...omitUndefined({onPress})} className={cx(look === 'button' ? buttons.button : styles.link, className)}>
			{children}
		</AriaLink>
	)
}
