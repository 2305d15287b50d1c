import {useSetSettings, useSettings} from '#api/hooks.tsx'

export type Recent = ReturnType<typeof useRecent>

const kept = 20

/** Earlier searches, stored only in this computer's profile. */
export function useRecent() {
	const {recentSearches: texts} = useSettings()
	const set = useSetSettings()
	return {
		/** Newest first. */
		texts,
		remember: (text: string) => {
			const wanted = text.trim().slice(0, 500)
			if (wanted === '' || texts[0] === wanted) return
			set({recentSearches: [wanted, ...texts.filter(each => each !== wanted)].slice(0, kept)})
		},
		forget: () => set({recentSearches: []})
	}
}
