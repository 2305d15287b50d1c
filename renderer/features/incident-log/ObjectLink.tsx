import type {LogEntry} from '#model/incident.ts'

import {Link} from '#ui/Button.tsx'
import {placeOf} from './places.ts'

interface ObjectLinkProps {
	target: NonNullable<LogEntry['target']>
	/** The command, or the service's word for it. */
	kind: string
}

/** The name of an object; a link if this console has a page for it. */
export function ObjectLink({target, kind}: ObjectLinkProps) {
	const href = placeOf(kind, target.guid)
	return href === null ? <>{target.label}</> : <Link href={href}>{target.label}</Link>
}
