import {DatabaseSync} from 'node:sqlite'

import {onTestFinished, vi} from 'vitest'

/** How SQLite finds the rows of each statement that is prepared from now on. */
export function watchPlans(): readonly string[] {
	const plans: string[] = []
	const {prepare} = DatabaseSync.prototype
	const watched = vi.spyOn(DatabaseSync.prototype, 'prepare').mockImplementation(function (this: DatabaseSync, sql) {
		const steps = prepare.call(this, `EXPLAIN QUERY PLAN ${sql}`).all()
		plans.push(`${sql}: ${steps.map(({detail}) => detail).join('; ')}`)
		return prepare.call(this, sql)
	})
	onTestFinished(() => watched.mockRestore())
	return plans
}
