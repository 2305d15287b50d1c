import type {InstanceRow} from '#contract/instances.ts'
import {exposeAll} from '#model/server-parameter.ts'

import {useApi} from '#api/hooks.tsx'
import {Link} from '#ui/Button.tsx'
import {Switch} from '#ui/Field.tsx'
import styles from './controls.module.css'
import {GuardDialog} from './GuardDialog.tsx'
import {t} from './text.ts'
import {useGuard, type Guard} from './use-guard.ts'
import {exposureSentence} from './words.ts'

/** Sets or removes (`null`) the instance's override. */
function useSetExposed(row: InstanceRow): Guard & {readonly set: (exposed: boolean | null, then?: () => void) => void} {
	const {client} = useApi()
	const guard = useGuard()
	return {
		...guard,
		set: (exposed, then) =>
			guard.run(confirmation => client.instances.setExposed({id: row.instance.id, exposed, ...confirmation}), then),
	}
}

/** The exposure switch: it sets the same keys as the server parameters. */
export function ExposureControl({row}: {row: InstanceRow}) {
	const exposing = useSetExposed(row)
	const {exposure, instance} = row
	const hasOwn = exposure.key !== null && exposure.key !== exposeAll
	return (
		<div className={styles.control}>
			<Switch isSelected={exposure.exposed} onChange={on => exposing.set(on)} isDisabled={exposing.isPending}>
				{t.exposed}
			</Switch>
			<p className={styles.why}>
				{exposureSentence(exposure, instance.name)}{' '}
				{hasOwn && (
					<Link onPress={() => exposing.set(null)} aria-label={t.removeOverride}>
						{t.takeDefault}
					</Link>
				)}
			</p>
			{exposing.error !== null && (
				<p className={styles.bad} role="alert">
					{exposing.error.message}
				</p>
			)}
			<GuardDialog guard={exposing} verb={t.expose(instance.name)} />
		</div>
	)
}
