/** GUIDs of chosen policies by product; unchanged products are omitted. */
export type ChosenPolicies = Readonly<Record<string, string>>

export const assignable = ['windows', 'mac', 'linux', 'android'] as const

export interface PresentPolicy {
	label: string
	/** The present policy, which need not be chosen again. */
	guid: string | undefined
}
