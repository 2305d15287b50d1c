import {formatCount} from '#text/numbers.ts'
import styles from './NavCount.module.css'

interface NavCountProps {
	count: number
	/** Says what is counted, for those who do not see the line. */
	words?: string
	/** Draws a mark. */
	warning?: string
	/** 0 is drawn, too. */
	isShown?: boolean
}

/** The end of a line of the navigation. */
export function NavCount({count, words, warning, isShown = false}: NavCountProps) {
	const number = count > 0 || isShown ? formatCount(count) : ''
	if (number === '' && warning === undefined) return null
	return (
		<span className={styles.count}>
			{warning !== undefined && (
				<span className={styles.bad} role="img" aria-label={warning} title={warning}>
					▲
				</span>
			)}
			{words === undefined ? (
				number
			) : (
				<span role="img" aria-label={words}>
					{number}
				</span>
			)}
		</span>
	)
}
