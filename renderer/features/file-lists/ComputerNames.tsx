import {formatCount} from '#text/numbers.ts'

import {Link} from '#ui/Button.tsx'
import styles from './FileLists.module.css'
import {t} from './text.ts'

/** Names of computers, and the number of further ones. */
export function ComputerNames({computers, more}: {computers: readonly {guid: string; hostname: string}[]; more: number}) {
	return (
		<ul className={styles.names}>
			{computers.map(({guid, hostname}) => (
				<li key={guid}>
					<Link href={`/computers/${guid}`}>{hostname}</Link>
				</li>
			))}
			{more > 0 && <li className="quiet">{t.andMore(formatCount(more))}</li>}
		</ul>
	)
}
