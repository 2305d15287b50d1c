import type {ReactNode} from 'react'

import styles from './Headline.module.css'
import {Link} from './Button.tsx'

export interface HeadlineProps {
	/** The parent list, such as `Groups`, and its address. */
	list: string
	href: string
	name: ReactNode
	/** Tags after the name. */
	children?: ReactNode
}

/** The label of the back link: a screen in running text, an object by its own name. */
function backWords(list: string, href: string): string {
	return /^\/[^/]+$/.test(href) ? `Back to the ${list.toLowerCase()}` : `Back to ${list}`
}

/** First line of a screen about one object. */
export function Headline({list, href, name, children}: HeadlineProps) {
	return (
		<div className={styles.headline}>
			<Link href={href} aria-label={backWords(list, href)}>
				{list}
			</Link>
			<span aria-hidden> ▸ </span>
			<h1 className={styles.name}>{name}</h1>
			{children}
		</div>
	)
}
