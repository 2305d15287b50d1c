/** Schedules and rules of a profile, and the outcome of each time and event. */
import {CordonError, usageError} from '#contract/errors.ts'
import {automationSchema, type Automation, type Firing} from '#model/automation.ts'

import type {Database} from '#core/store/database.ts'

/** `url`: the service of its connection when it was saved. */
export type KeptAutomation = Automation & {since: string; url?: string | undefined}

interface Row {
	body: string
	since: string
}
interface FiringRow extends Omit<Firing, 'handledAt'> {
	handled_at: string
}

const insert = `INSERT OR IGNORE INTO automation_firing (automation, key, at, handled_at, outcome, run, message, count)
  VALUES (?, ?, ?, ?, ?, ?, ?, ?)`

const lastRunOf = (automation: string) =>
	`FROM automation_firing WHERE automation = ${automation} AND run IS NOT NULL ORDER BY handled_at DESC, at DESC LIMIT 1`

export function openAutomationStore(database: () => Database) {
	const firing = ({handled_at: handledAt, ...row}: FiringRow) => ({...row, handledAt})
	const list = () =>
		database()
			.all<Row>('SELECT body, since FROM automation ORDER BY id')
			// A row written by a newer version is left alone.
			.flatMap(({body, since}) => {
				// Written by `save`.
				const kept = JSON.parse(body) as Pick<KeptAutomation, 'url'>
				const {success, data} = automationSchema.safeParse(kept)
				return success ? [{...data, since, url: kept.url}] : []
			})
	return {
		list,
		find(idOrName: string): KeptAutomation {
			const found = list().filter(({id, name}) => id === idOrName || name.toLowerCase() === idOrName.toLowerCase())
			const [one, ...others] = found
			if (one === undefined) throw new CordonError('not_found', `There is no schedule or rule ${idOrName}.`)
			if (others.length > 0) throw usageError(`Several are named ${idOrName}. Give the ID of one.`)
			return one
		},
		save: (one: Automation & {url: string}, since: string): void =>
			void database().run('INSERT OR REPLACE INTO automation VALUES (?, ?, ?)', one.id, JSON.stringify(one), since),
		/** Leaves its other fields as they are. */
		change: (id: string, part: Pick<KeptAutomation, 'url'> | Pick<Automation, 'enabled'>, since?: string): void =>
			void database().run(
				'UPDATE automation SET body = json_patch(body, ?), since = coalesce(?, since) WHERE id = ?',
				...[JSON.stringify(part), since ?? null, id]
			),
		remove: (id: string) => {
			database().transaction(() => {
				database().run('DELETE FROM automation_firing WHERE automation = ?', id)
				database().run('DELETE FROM automation WHERE id = ?', id)
			})
		},
		/** Several in one write. */
		together: <T>(work: () => T) => database().transaction(work, {durable: true}),
		/** Returns whether it is new. `since`: times up to that one are settled. */
		tell: ({automation, key, at, handledAt, outcome, run, message, count}: Firing, since?: string) =>
			database().transaction(
				() => {
					const values = [automation, key, at, handledAt, outcome, run, message, count] as const
					const {changes} = database().run(insert, ...values)
					if (since !== undefined) database().run('UPDATE automation SET since = ? WHERE id = ? AND since < ?', since, automation, since)
					return changes > 0
				},
				{durable: true}
			),
		/** After the clock was ahead: what it settled until then counts as of then. */
		setBack: (automation: string, at: string) => {
			database().run('UPDATE automation SET since = min(since, ?) WHERE id = ?', at, automation)
			database().run('UPDATE automation_firing SET handled_at = min(handled_at, ?) WHERE automation = ?', at, automation)
		},
		isKnown: (automation: string, key: string) =>
			database().get('SELECT 1 FROM automation_firing WHERE automation = ? AND key = ?', automation, key) !== undefined,
		/** Number of actions since then. */
		acted: (automation: string, since: string) =>
			database().get<{n: number}>(
				"SELECT count(*) AS n FROM automation_firing WHERE automation = ? AND handled_at > ? AND outcome IN ('started', 'notified')",
				automation,
				since
			)?.n ?? 0,
		firings: (automation: string | undefined, limit: number): readonly Firing[] =>
			database()
				.all<FiringRow>(
					`SELECT * FROM automation_firing ${automation ? 'WHERE automation = ?' : ''} ORDER BY handled_at DESC, at DESC LIMIT ?`,
					...(automation ? [automation, limit] : [limit])
				)
				.map(firing),
		lastRun: (automation: string) => database().get<{run: string}>(`SELECT run ${lastRunOf('?')}`, automation)?.run,
		/** The seventh newest day on which something was handled, if there are as many. */
		seventhDay: () => Array.from({length: 7}).reduce<string | undefined>(day => day && dayBefore(database(), day), '~'),
		/** Keeps the last run of each: it may be open. Runs are forgotten before their lines, which alone name them. */
		async prune(before: string, forget: (runs: readonly string[]) => Promise<void>): Promise<void> {
			const old = `FROM automation_firing AS one WHERE handled_at < ? AND key IS NOT (SELECT key ${lastRunOf('one.automation')})`
			await forget(
				database()
					.all<Pick<Firing, 'run'>>(`SELECT run ${old}`, before)
					.flatMap(({run}) => run ?? [])
			)
			database().run(`DELETE ${old}`, before)
		}
	}
}

function dayBefore(database: Database, day: string) {
	const sql = 'SELECT max(handled_at) AS at FROM automation_firing WHERE handled_at < ?'
	return database.get<{at: string | null}>(sql, day)?.at?.slice(0, 10)
}

export type AutomationStore = ReturnType<typeof openAutomationStore>
