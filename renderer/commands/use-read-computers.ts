import {useActiveConnection} from '../api/active.tsx'
import {useApi} from '../api/ApiProvider.tsx'

/** Reads the list of computers again, as a whole or what is missing of it; the frame tells its outcome. */
export function useReadComputers(): {readonly again: () => void; readonly missing: () => void} {
	const {client} = useApi()
	const {id: connection} = useActiveConnection()
	return {
		again: () => void client.computers.refresh({connection}).catch(() => undefined),
		missing: () => void client.computers.refreshMissing({connection}).catch(() => undefined),
	}
}
