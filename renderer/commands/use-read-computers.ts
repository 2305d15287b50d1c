import {useConnected} from '#api/hooks.tsx'

/** Refreshes the computers list, whole or only its missing part; the frame shows the outcome. */
export function useReadComputers(): {again: () => void; missing: () => void} {
	const {client, connection} = useConnected()
	return {
		again: () => void client.computers.refresh({connection}).catch(() => {}),
		missing: () => void client.computers.refreshMissing({connection}).catch(() => {})
	}
}
