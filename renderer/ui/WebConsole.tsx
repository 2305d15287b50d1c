import {ExternalLink} from 'lucide-react'
import type {ReactNode} from 'react'
import linkStyles from './Link.module.css'
import {t} from './text.ts'

interface WebConsoleProps {
	/** Address of the service's API, as in the connection. */
	server: string
	/** A page of the console, such as from `computerPage`; default: the first one. */
	page?: string
	/** The link text, such as `Edit it in the web console`. */
	children: ReactNode
	/** Shown instead of the link when no web console is known. */
	without: ReactNode
}

/** A link to the service's own web console, for actions missing in its API. */
export function WebConsole({server, page, children, without}: WebConsoleProps) {
	const address = consoleAddress(server, page)
	if (address === null) return without
	return (
		<a className={linkStyles['link']} href={address} target="_blank" rel="noreferrer">
			{children}
			{'\u00a0'}
			<ExternalLink size={11} aria-label={t.opensBrowser} role="img" />
		</a>
	)
}

/** Hosts of the service's web console. */

const hosts: Readonly<Record<string, string>> = {
	'api.amp.cisco.com': 'console.amp.cisco.com',
	'api.eu.amp.cisco.com': 'console.eu.amp.cisco.com',
	'api.apjc.amp.cisco.com': 'console.apjc.amp.cisco.com'
}

/** Address of a server's web console (API reference, "Hosts"), or of a page; `null` if unknown. */
export function consoleAddress(server: string, page = '') {
	if (!URL.canParse(server)) return null
	const host = hosts[new URL(server).hostname]
	return host === undefined ? null : `https://${host}/${page}`
}

/** The page of a computer with its trajectory, at one event if its id is given (API reference, "Console deep links"). */
export function computerPage(guid: string, event?: string) {
	const at = event === undefined ? '' : `?id=${encodeURIComponent(event)}`
	return `computers/${encodeURIComponent(guid)}/trajectory2${at}`
}
