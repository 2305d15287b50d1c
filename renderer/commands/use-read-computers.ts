import {useActiveConnection} from '../api/active.tsx'
import {useApi} from '../api/ApiProvider.tsx'

/** Refreshes the computers list, whole or only its missing part; the frame shows the outcome. */
export function useReadComputers(): {readonly again: () => void; readonly missing: () => void} {
	const {client} = useApi()
	const {id: connection} = useActiveConnection()
	return {
		again: () => void client.computers.refresh({connection}).catch(() => undefined),
		missing: () => void client.computers.refreshMissing({connection}).catch(() => undefined),
	}
}
