import type {MouseEvent, ReactNode} from 'react'

import {cx} from '../cx.ts'
import styles from './DataTable.module.css'

interface RowLinkProps {
	href: string
	title?: string
	className?: string | undefined
	children: ReactNode
}

/** The name of a row's object, if it has one. The table follows it, like Enter; the address is for other windows. */
export function RowLink({href, className, title, children}: RowLinkProps) {
	if (children === '') return null
	return (
		<a href={`#${href}`} title={title} tabIndex={-1} draggable={false} className={cx(styles.link, className)}>
			{children}
		</a>
	)
}

/** Whether a click hit the name of a row; the page is not left by it. */
export function isOnLink(event: MouseEvent) {
	const isLink = event.target instanceof Element && event.target.closest('a') !== null
	if (isLink) event.preventDefault()
	return isLink
}
