/** Calls of the present window that jobs have set aside, in `profile.db`: every process leaves them alone. */
import type {Database} from '#core/store/database.ts'
import {isAlive, ownIdentity} from '#core/store/process-identity.ts'

interface ReservationRequest {
	connection: string
	/** Such as the id of a job; a reservation of the same id is taken over. */
	id: string
	title: string
	calls: number
}

interface Row {
	id: string
	title: string
	calls: number
	pid: number
	started: string
}

/** One of a process that is gone counts for nothing. */
export function reserveCalls(database: Database, {connection, id, title, calls}: ReservationRequest) {
	const own = ownIdentity()
	/** Calls that are still to be made; 0 when there are none any more. */
	const set = (left: number) =>
		void database.run(
			'INSERT OR REPLACE INTO budget_reservation (id, connection, title, calls, pid, started) VALUES (?, ?, ?, ?, ?, ?)',
			id,
			connection,
			title,
			Math.max(0, Math.round(left)),
			own.pid,
			own.started
		)
	set(calls)
	return {
		set,
		/** Gives back what is left. A second call does nothing. */
		end: () => void database.run('DELETE FROM budget_reservation WHERE id = ? AND pid = ?', id, own.pid)
	}
}

/** What jobs of live processes have set aside on a connection. */
export function reservations(database: Database, connection: string): readonly Pick<Row, 'id' | 'title' | 'calls'>[] {
	return database
		.all<Row>('SELECT * FROM budget_reservation WHERE connection = ?', connection)
		.filter(isAlive)
		.map(({id, title, calls}) => ({id, title, calls}))
}

export function reservedCalls(database: Database, connection: string) {
	return reservations(database, connection).reduce((sum, {calls}) => sum + calls, 0)
}
