import type {ComputerDetail} from '#contract/contract.ts'

import {IsolationState} from '#ui/IsolationState.tsx'
import {Time} from '#ui/Time.tsx'
import styles from './TargetComputer.module.css'
import {t} from './text.ts'

export function TargetComputer({detail}: {detail: ComputerDetail}) {
	const {row, groupPath} = detail
	return (
		<div className={styles.target}>
			<b className="clamp" title={row.hostname}>
				{row.hostname}
			</b>
			<span className="quiet">
				{groupPath.length === 0 ? row.groupName : groupPath.join(' ▸ ')} · {row.os} · {row.internalIps[0] ?? t.noAddress}
			</span>
			<span className="quiet">
				{t.seen} <Time at={row.lastSeen} unknown="never" /> · <IsolationState state={row.isolation} />
			</span>
		</div>
	)
}
