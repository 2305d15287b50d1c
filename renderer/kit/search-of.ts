import {z} from 'zod'

/** What an address says of a screen: each part may be missing, and one that cannot be read is left out. */
export function searchOf<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
	const parts = Object.entries(shape).map(([name, part]) => [name, part.optional().catch(undefined)] as const)
	return z.object(Object.fromEntries(parts) as {[Name in keyof Shape]: z.ZodCatch<z.ZodOptional<Shape[Name]>>})
}
