/** GUIDs of chosen policies by product; products that stay as they are are left out. */
export type ChosenPolicies = Readonly<Record<string, string>>

/** Products for which the service takes a policy (API reference, "Groups"). */
export const assignable = ['windows', 'mac', 'linux', 'android'] as const

/** What a product has now. */
export interface PresentPolicy {
	/** Such as `Audit (inherited)`. */
	readonly label: string
	/** GUID of the policy that need not be chosen again. */
	readonly guid: string | undefined
}
