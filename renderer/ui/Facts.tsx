import type {Key, ReactNode} from 'react'
import {cx} from './cx.ts'
import styles from './KeyValue.module.css'
import table from './PlainTable.module.css'
import {stringifyExact} from '#model/exact-json.ts'
import code from './CodeView.module.css'
import {CopyButton} from './Button.tsx'

/** A name and its value for {@link KeyValue}. */
export function fact(name: string, value: ReactNode, look?: 'mono') {
	return {name, value, look}
}

export function copiedFact(name: string, value: string, what: string) {
	const copied = (
		<>
			{value} <CopyButton text={value} what={what} />
		</>
	)
	return fact(name, copied, 'mono')
}

/** A list may say `condition && fact(…)`. */
export type Fact = ReturnType<typeof fact> | false | null

export function KeyValue({facts}: {facts: readonly Fact[]}) {
	return (
		<dl className={styles.list}>
			{facts
				.filter(each => each !== false && each !== null)
				.map(({name, value, look}) => (
					<div key={name} className={styles.pair}>
						<dt className={styles.name}>{name}</dt>
						<dd className={cx(styles.value, look && styles.mono)}>{value}</dd>
					</div>
				))}
		</dl>
	)
}

/** A title that needs more than its text comes with the class of its cell. */
type Title = string | readonly [title: ReactNode, className: string | undefined]

interface Props {
	className?: string | undefined
	'aria-label'?: string
	caption?: string
	/** Titles above the rows, some of them with a class. */
	columns?: readonly Title[]
	children: ReactNode
}

export function PlainTable({className, caption, columns, children, ...label}: Props) {
	return (
		<table className={cx(table.table, className)} {...label}>
			{caption !== undefined && <caption className="quiet">{caption}</caption>}
			{columns !== undefined && <Columns titles={columns} />}
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

export function tableRow(key: Key, head: ReactNode, ...cells: readonly ReactNode[]) {
	return (
		<tr key={key}>
			<th scope="row">{head}</th>
			{Object.entries(cells).map(([column, cell]) => (
				<td key={column}>{cell}</td>
			))}
		</tr>
	)
}

/** Raw JSON with all digits. */
export function CodeView({value, label}: {value: unknown; label: string}) {
	const text = stringifyExact(value, 2) ?? 'null'
	return (
		<div className={code.view}>
			<div className={code.copy}>
				<CopyButton text={text} what={label} />
			</div>
			<pre className={code.code} tabIndex={0} aria-label={label}>
				{text}
			</pre>
		</div>
	)
}
