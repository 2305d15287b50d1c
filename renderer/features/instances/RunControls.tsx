import type {InstanceRow} from '#contract/instances.ts'

import {Failure} from '#commands/Failure.tsx'
import {CopyButton} from '#ui/Button.tsx'
import {Switch} from '#ui/Field.tsx'
import styles from './controls.module.css'
import type {InstanceAct} from './search.ts'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'

/** Whether requests are forwarded to it. */
export function EnabledControl({row}: {row: InstanceRow}) {
	const guard = useGuard()
	const {id, enabled, program} = row.instance
	const runs = program.kind !== 'external'
	return (
		<div className={styles.control}>
			<Switch isSelected={enabled} isDisabled={guard.isPending} onChange={on => guard.run(instances => instances.setEnabled({id, enabled: on}))}>
				{t.enabled}
			</Switch>
			<p className={styles.why}>{enabled ? (runs ? t.cordonKeeps : t.runsOutside) : t.routeAnswers}</p>
			<Failure error={guard.error} />
		</div>
	)
}

/** Managed and built-in instances may listen on every interface; external ones are not controlled here. */
export function PortControl({row, onAct}: {row: InstanceRow; onAct: (act: InstanceAct) => void}) {
	const {instance, direct} = row
	if (instance.program.kind === 'external') {
		return <p className={styles.why}>{t.portCordon(instance.listenPort, instance.host)}</p>
	}
	return (
		<div className={styles.control}>
			<Switch isSelected={instance.openPort} onChange={() => onAct('port')}>
				{t.openThePort}
			</Switch>
			<p className={styles.why}>
				{direct === null ? (
					t.portLoopback(instance.listenPort)
				) : (
					<>
						{t.reachablePast(direct)} <CopyButton text={direct} what={t.directAddress} />
					</>
				)}
			</p>
		</div>
	)
}
