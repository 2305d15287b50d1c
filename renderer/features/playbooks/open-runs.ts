export const shownRuns = 50

/** Input of the query that finds those that need somebody. */
export const openRuns = {state: 'open', offset: 0, limit: shownRuns} as const
