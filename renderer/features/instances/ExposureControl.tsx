import type {InstanceRow} from '#contract/instances.ts'
import {exposeAll} from '#model/server-parameter.ts'

import {Failure} from '#commands/Failure.tsx'
import {Link} from '#ui/Button.tsx'
import {Switch} from '#ui/Field.tsx'
import styles from './controls.module.css'
import {GuardDialog} from './GuardDialog.tsx'
import {t} from './text.ts'
import {useGuard} from './use-guard.ts'
import {exposureSentence} from './words.ts'

/** The exposure switch: it sets the same keys as the server parameters. */
export function ExposureControl({row}: {row: InstanceRow}) {
	const guard = useGuard()
	const {exposure, instance} = row
	/** Sets or removes (`null`) the instance's override. */
	const set = (exposed: boolean | null) =>
		guard.run((instances, confirmation) => instances.setExposed({id: instance.id, exposed, ...confirmation}))
	const hasOwn = exposure.key !== null && exposure.key !== exposeAll
	return (
		<div className={styles.control}>
			<Switch isSelected={exposure.exposed} onChange={set} isDisabled={guard.isPending}>
				{t.exposed}
			</Switch>
			<p className={styles.why}>
				{exposureSentence(exposure, instance.name)}{' '}
				{hasOwn && (
					<Link onPress={() => set(null)} aria-label={t.removeOverride}>
						{t.takeDefault}
					</Link>
				)}
			</p>
			<Failure error={guard.error} />
			<GuardDialog guard={guard} verb={t.expose(instance.name)} />
		</div>
	)
}
