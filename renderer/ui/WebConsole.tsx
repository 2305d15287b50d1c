import {ExternalLink} from 'lucide-react'
import type {ReactNode} from 'react'

import linkStyles from './Link.module.css'
import {t} from './text.ts'
import {consoleAddress} from './web-console.ts'

export interface WebConsoleProps {
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
