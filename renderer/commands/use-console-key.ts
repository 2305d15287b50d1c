import {useActiveConnection} from '#api/hooks.tsx'
import {useAnnounce} from '#ui/Announcer.tsx'
import {useKey} from '#ui/keys/KeyRegistry.tsx'
import {consoleAddress} from '#ui/WebConsole.tsx'

/** Its key opens a page of the service's web console, or says that none is known. */
export function useConsoleKey(page: string) {
	const {url} = useActiveConnection()
	const announce = useAnnounce()
	const open = () => {
		const address = consoleAddress(url, page)
		if (address === null) announce('No web console is known for this server')
		else window.open(address, '_blank', 'noopener,noreferrer')
	}
	useKey('computer.console', open)
}
