/** The sums of `schema.ts` over added rows, written together: a trigger for each row took half of the time of a first load. */
import type {Database} from '#core/store/database.ts'
import {glanceRanks, type IsolationColumns, type RecordColumns} from './columns.ts'

interface SameRows {
	readonly columns: RecordColumns
	readonly rank: number
	n: number
}

/** How many rows were added, by what the sums tell apart. */
export type Added = Map<string, SameRows>

export function noteAdded(added: Added, columns: RecordColumns, {rank}: IsolationColumns): void {
	const {compromised, group_guid: group, group_name: name, policy_guid: policy, policy_name: title, os} = columns
	const key = JSON.stringify([rank, compromised, group, name, policy, title, os])
	const same = added.get(key)
	if (same === undefined) added.set(key, {columns, rank, n: 1})
	else same.n += 1
}

/** Within the transaction that added the rows. */
export function makeSums(database: Database): (added: Added) => void {
	const grow = 'ON CONFLICT DO UPDATE SET n = n + excluded.n'
	const tally = database.prepare(`INSERT INTO tally VALUES (?, ?, ?) ${grow}`)
	const member = database.prepare(`INSERT INTO member VALUES (?, ?, ?) ${grow}`)
	const spread = database.prepare(`INSERT INTO spread VALUES (?, ?, ?, ?, ?, ?) ${grow}`)
	const policy = database.prepare('INSERT INTO policy VALUES (?, ?, ?) ON CONFLICT DO NOTHING')
	return added => {
		for (const {columns, rank, n} of added.values()) {
			const {compromised, group_guid: group, policy_guid: guid, policy_name: name, policy_fold: folded, os} = columns
			tally.run(rank, compromised, n)
			member.run(group, columns.group_name, n)
			spread.run(group, guid, os, compromised, rank === glanceRanks.isolated ? 1 : 0, n)
			policy.run(guid, name, folded)
		}
	}
}
