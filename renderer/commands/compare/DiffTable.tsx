import {Link} from '#ui/Button.tsx'
import {PlainTable} from '#ui/Facts.tsx'
import {t} from '../text.ts'
import styles from './Compare.module.css'
import {summaryOf, verdictOf, type DiffLine} from './diff-line.ts'

export interface DiffRowsProps {
	lines: readonly DiffLine[]
	names: readonly [a: string, b: string]
	/** Shows equal lines too. */
	isAll: boolean
}

interface DiffTableProps extends DiffRowsProps {
	/** Follows the summary, such as that the two differ in kind. */
	more?: string
}

/** Two objects line by line: differences, and equal lines on request. */
export function DiffTable({more = '', ...table}: DiffTableProps) {
	return (
		<>
			<p className={styles.note} role="status">
				{summaryOf(table.lines)}
				{more}.
			</p>
			<DiffRows {...table} />
		</>
	)
}

/** The table alone; nothing where no line is shown. */
export function DiffRows({lines, names: [a, b], isAll}: DiffRowsProps) {
	const shown = isAll ? lines : lines.filter(line => verdictOf(line) !== 'same')
	if (shown.length === 0) return null
	return (
		<PlainTable className={styles.table} columns={[t.field, a, b]}>
			{shown.map(line => (
				<Line key={`${line.title} ${line.a} ${line.b}`} line={line} />
			))}
		</PlainTable>
	)
}

function Line({line}: {line: DiffLine}) {
	// A changed value is neither lost nor gained, and a sign before a number would seem part of it.
	const isAlone = line.a === '' || line.b === ''
	return (
		<tr data-verdict={verdictOf(line)} data-alone={isAlone}>
			<th scope="row">{line.title}</th>
			<td>
				<Value text={line.a} sign={isAlone ? '−' : ''} href={line.links?.a ?? null} />
			</td>
			<td>
				<Value text={line.b} sign={isAlone ? '+' : ''} href={line.links?.b ?? null} />
			</td>
		</tr>
	)
}

function Value({text, sign, href}: {text: string | null; sign: string; href: string | null}) {
	if (text === null) return <span className={styles.lacks}>{t.notLoadedYetTitle}</span>
	if (text === '') return <span className={styles.lacks}>{t.notThere}</span>
	return (
		<>
			<span className={styles.sign} aria-hidden>
				{sign}
			</span>
			{href === null ? text : <Link href={href}>{text}</Link>}
		</>
	)
}
