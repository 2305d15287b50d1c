import {useQuery} from '@tanstack/react-query'

import type {KnownHash} from '#shared/contract/directory.ts'
import type {EventRow} from '#shared/contract/events.ts'
import {counted} from '#shared/text/numbers.ts'
import {nouns} from '#shared/text/terms.ts'
import {useConnected, useWriteRefusal} from '../../api/active.tsx'
import {useUi} from '../../state/ui.tsx'
import {Button} from '../../ui/Button.tsx'
import styles from './FileLists.module.css'
import {t} from './text.ts'
import {answerWords, shownKinds} from './words.ts'

export const mostEvents = 500
const mostComputers = 100

/** The newest stored events with a hash. */
export function eventsOf(connection: string, sha256: string) {
	return {connection, filter: `hash:${sha256}`, offset: 0, limit: mostEvents}
}

interface HashAnswerProps {
	readonly known: KnownHash
	readonly onBlock: () => void
}

/** Who saw the hash and who blocks it, from local data, with what can be done about it. */
export function HashAnswer({known: {sha256, holding}, onBlock}: HashAnswerProps) {
	const {queries, connection} = useConnected()
	const openBulk = useUi(ui => ui.openBulk)
	const lock = useWriteRefusal()
	const events = useQuery(queries.events.query.queryOptions({input: eventsOf(connection, sha256)})).data
	const seen = computersOf(events?.rows ?? []).map(({guid}) => guid)
	const filter = `guid:${seen.slice(0, mostComputers).join(',')}`
	const sort = {column: 'hostname', descending: false} as const
	const asked = {connection, filter, sort, offset: 0, limit: mostComputers}
	const {data} = useQuery({...queries.computers.query.queryOptions({input: asked}), enabled: seen.length > 0})
	if (events === undefined || (seen.length > 0 && data === undefined)) return null
	const blocking = holding
		.map(({list}) => list)
		.filter(list => list.vanishedAt === null && shownKinds.some(kind => kind === list.type))
	const all = events.matching.exact && events.matching.count <= mostEvents && seen.length <= mostComputers
	return (
		<div className={styles.answerLine}>
			<p role="status">
				<b>{answerWords(data?.rows ?? [], seen.length, blocking, all)}</b>
			</p>
			<Button size="small" onPress={onBlock} lock={lock} aria-haspopup="dialog">
				{t.blockMore}
			</Button>
			{seen.length === 0 ? null : (
				<Button size="small" onPress={() => openBulk('isolate', seen)} lock={lock} aria-haspopup="dialog">
					{t.isolateMore(counted(seen.length, nouns.computer))}
				</Button>
			)}
		</div>
	)
}

/** The distinct computers of these events, in order of their newest event. */
export function computersOf(
	rows: readonly Pick<EventRow, 'guid' | 'hostname'>[],
): readonly {readonly guid: string; readonly hostname: string}[] {
	const found = new Map<string, string>()
	for (const {guid, hostname} of rows) if (guid !== null && !found.has(guid)) found.set(guid, hostname)
	return [...found].map(([guid, hostname]) => ({guid, hostname: hostname === '' ? guid : hostname}))
}
