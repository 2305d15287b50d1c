import {useConnections} from '#api/hooks.tsx'
import styles from './TenantMark.module.css'

interface TenantMarkProps {
	/** Named as it was at the time, otherwise as it is now. */
	tenant: {id: string; name?: string} | null
}

/** The tenant's name with the colour of its connection; empty for no tenant. */
export function TenantMark({tenant}: TenantMarkProps) {
	const connections = useConnections() ?? []
	if (tenant === null) return null
	const known = connections.find(({id}) => id === tenant.id)
	const name = tenant.name ?? known?.name ?? tenant.id
	return (
		<span className={styles.tenant} title={name}>
			<i className={styles.swatch} style={known && {background: `var(--connection-${known.colour})`}} aria-hidden />
			{name}
		</span>
	)
}
