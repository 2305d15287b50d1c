import type {ReactNode} from 'react'

import {cx} from './cx.ts'
import styles from './PlainTable.module.css'

/** A title that needs more than its text comes with the class of its cell. */
type Title = string | readonly [title: ReactNode, className: string | undefined]

interface Props {
	className?: string | undefined
	'aria-label'?: string
	caption?: string
	/** Titles above the rows, some of them with a class. */
	columns?: readonly Title[]
	/** Rows. */
	children: ReactNode
}

/** A short read-only table without a cursor. */
export function PlainTable({className, caption, columns, children, ...label}: Props) {
	return (
		<table className={cx(styles.table, className)} {...label}>
			{caption === undefined ? null : <caption className="quiet">{caption}</caption>}
			{columns === undefined ? null : <Columns titles={columns} />}
			<tbody>{children}</tbody>
		</table>
	)
}

function Columns({titles}: {titles: readonly Title[]}) {
	return (
		<thead>
			<tr>
				{Object.entries(titles).map(([column, given]) => {
					const [title, className] = typeof given === 'string' ? [given] : given
					return (
						<th key={column} scope="col" className={className}>
							{title}
						</th>
					)
				})}
			</tr>
		</thead>
	)
}
