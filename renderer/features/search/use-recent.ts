import {useSetSettings, useSettings} from '#api/hooks.tsx'

export interface Recent {
	/** Newest first. */
	readonly texts: readonly string[]
	remember(text: string): void
	forget(): void
}

const kept = 20

/** Earlier searches, stored only in this computer's profile. */
export function useRecent(): Recent {
	const {recentSearches: texts} = useSettings()
	const set = useSetSettings()
	return {
		texts,
		remember: text => {
			const wanted = text.trim().slice(0, 500)
			if (wanted === '' || texts[0] === wanted) return
			set({recentSearches: [wanted, ...texts.filter(each => each !== wanted)].slice(0, kept)})
		},
		forget: () => set({recentSearches: []}),
	}
}
