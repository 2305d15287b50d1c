import styles from './KeyCap.module.css'

/** Keys to press: `Ctrl+K` is one cap, `g c` are two in sequence. */
export function KeyCap({keys}: {keys: string}) {
	const caps = keys.split(' ')
	return (
		<span className={styles.keys}>
			{caps.map((key, at) => (
				// `g g` has the same cap twice.
				<kbd key={caps.slice(0, at + 1).join(' ')} className={styles.cap}>
					{key.replaceAll('+', ' ').trim() || '+'}
				</kbd>
			))}
		</span>
	)
}
