import {z} from 'zod'

/**
 * What an address says of a screen: each part may be missing, and one that cannot be read is left out. Parts are made when the
 * screen's address is first read: a start would make those of every screen, 200 schemas.
 */
export function searchOf<Shape extends Readonly<Record<string, z.ZodType>>>(shape: Shape) {
	const parts = Object.entries(shape).map(([name, part]) => [name, {enumerable: true, get: () => part.optional().catch(undefined)}])
	type Parts = {[Name in keyof Shape]: z.ZodCatch<z.ZodOptional<Shape[Name]>>}
	return z.object(Object.defineProperties({}, Object.fromEntries(parts)) as Parts)
}
