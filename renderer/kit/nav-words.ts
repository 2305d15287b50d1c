import type {Value} from '#text/common.ts'

/** What the marks and numbers in the navigation mean; not in the texts of the screens, which load later. */
export const navWords = {
	attention: (count: Value) => `${count} attention`,
	waiting: (count: Value) => `${count} waiting`,
	interrupted: (count: Value) => `${count} interrupted`,
	unhealthy: (count: Value) => `${count} unhealthy`,
	serverFailed: 'the forwarding server failed'
} as const
