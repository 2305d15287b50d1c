import {useConnections} from '../api/hooks.ts'
import styles from './TenantMark.module.css'

interface TenantMarkProps {
	/** As it was named when it happened. */
	readonly tenant: {readonly id: string; readonly name: string} | null
}

/** Whose it is: the colour of its connection and its name. What belongs to no tenant shows nothing. */
export function TenantMark({tenant}: TenantMarkProps) {
	const connections = useConnections() ?? []
	if (tenant === null) return null
	const colour = connections.find(({id}) => id === tenant.id)?.colour
	return (
		<span className={styles['tenant']} title={tenant.name}>
			<i
				className={styles['swatch']}
				style={colour === undefined ? undefined : {background: `var(--connection-${colour})`}}
				aria-hidden="true"
			/>
			{tenant.name}
		</span>
	)
}
