const calmMs = 500
const longestMs = 2000
/** A page that asks nothing is no reason to start nothing. */
const longestSilenceMs = 10_000

/** A fixed time from the start would end before the first rows on a slow computer, and long after them on a fast one. */
export function createCalm() {
	/** The page asked for its first screen and then nothing for a while, or it keeps asking. */
	const {promise: reached, resolve} = Promise.withResolvers<void>()
	const inMs = (ms: number) => setTimeout(resolve, ms).unref()
	inMs(longestSilenceMs)
	let quiet: NodeJS.Timeout | undefined
	return {
		/** Each call of the page. */
		heard: () => {
			if (quiet === undefined) inMs(longestMs)
			clearTimeout(quiet)
			quiet = inMs(calmMs)
		},
		reached
	}
}
