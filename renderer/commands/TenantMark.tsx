import {useConnections} from '../api/hooks.ts'
import styles from './TenantMark.module.css'

interface TenantMarkProps {
	/** Named as it was at the time. */
	tenant: {readonly id: string; readonly name: string} | null
}

/** The tenant's name with the colour of its connection; empty for no tenant. */
export function TenantMark({tenant}: TenantMarkProps) {
	const connections = useConnections() ?? []
	if (tenant === null) return null
	const colour = connections.find(({id}) => id === tenant.id)?.colour
	return (
		<span className={styles.tenant} title={tenant.name}>
			<i
				className={styles.swatch}
				style={colour === undefined ? undefined : {background: `var(--connection-${colour})`}}
				aria-hidden="true"
			/>
			{tenant.name}
		</span>
	)
}
