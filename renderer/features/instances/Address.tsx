import {CopyButton} from '#ui/Button.tsx'
import styles from './Address.module.css'

/** A full address with its copy button. */
export function Address({text, what}: {text: string; what: string}) {
	return (
		<p className={styles.address}>
			<span className={styles.text}>{text}</span>
			<CopyButton text={text} what={what} />
		</p>
	)
}

/** Text to copy: a command, a configuration. */
export function Snippet({text, label}: {text: string; label: string}) {
	return (
		<div className={styles.snippet}>
			<pre className={styles.code} tabIndex={0} role="region" aria-label={label}>
				{text}
			</pre>
			<div className={styles.copy}>
				<CopyButton text={text} what={label} />
			</div>
		</div>
	)
}
