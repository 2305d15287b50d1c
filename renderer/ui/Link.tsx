import {omitUndefined} from '#shared/omit-undefined.ts'
import type {ReactNode} from 'react'
import {Link as AriaLink} from 'react-aria-components'

import {cx} from './cx.ts'
import styles from './Link.module.css'

export interface LinkProps {
	children: ReactNode
	/** A route of this page, such as `/computers`; default: a button that looks like a link. */
	href?: string
	onPress?: () => void
	className?: string | undefined
	'aria-label'?: string
}

export function Link({children, className, onPress, ...rest}: LinkProps) {
	return (
		<AriaLink {...rest} {...omitUndefined({onPress})} className={cx(styles.link, className)}>
			{children}
		</AriaLink>
	)
}
