import {stringifyExact} from '#shared/model/exact-json.ts'

import styles from './CodeView.module.css'
import {CopyButton} from './CopyButton.tsx'

/** Raw JSON with all digits. */
export function CodeView({value, label}: {value: unknown; label: string}) {
	const text = stringifyExact(value, 2) ?? 'null'
	return (
		<div className={styles.view}>
			<div className={styles.copy}>
				<CopyButton text={text} what={label} />
			</div>
			<pre className={styles.code} tabIndex={0} aria-label={label}>
				{text}
			</pre>
		</div>
	)
}
